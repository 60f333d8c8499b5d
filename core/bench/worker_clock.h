// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/backend/executor.h"

namespace kernelgen {

/// The worker's own clock around batches of timed calls. A kernel lives in the process that tells its times, and could
/// change them there; it cannot change this clock. What a batch is told to have taken, samples and what surrounds them,
/// must be what it took here, and what surrounds the samples must be what it is in batches in which nothing is called.
class WorkerClock {
public:
    /// What a batch took, as this process sees it. `waited`: for how long the executor's first thread and this one were
    /// ready to run and had no processor; what they were about to do then may be in no time that is told.
    struct Batch {
        double seconds = 0, waited = 0;
    };

    /// Whether such a batch may have had these samples, on `sets` sets of buffers. Batches without turns tell what a
    /// batch itself costs. Agreeing batches that are not short, did not wait long, and of which no turn was taken again
    /// and no outputs were copied, are remembered for `hides_nothing`.
    bool agrees(const SampleRequest& request, const Samples& samples, int sets, Batch batch);

    /// Whether what surrounds a sample takes as long as in batches where nobody is called. Where too few batches of
    /// either kind were seen: false, and true after `forget`.
    bool hides_nothing() const;
    /// Forgets the batches that `hides_nothing` compares.
    void forget();

private:
    bool is_asked_again_ = false;
    double empty_seconds_ = 0;            ///< the longest batch without turns
    std::vector<double> sample_seconds_;  ///< of each batch: of one sample, with what surrounds it
    std::vector<double> around_samples_;  ///< of each batch: what surrounds one sample
    std::vector<double> around_nothing_;  ///< of each batch in which nobody is called: the same
};

}  // namespace kernelgen
