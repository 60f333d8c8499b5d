// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/backend/sampling.h"

namespace kernelgen {

/// The worker's own clock around batches of timed calls. The times are reported by the process in which the kernel
/// runs, and a kernel could change them there; it cannot change this clock. Two things are checked: the reported time
/// of a batch (samples and their surroundings, such as flushing) must be the time that passed here; and the
/// surroundings must take as long as in batches in which no kernel is called.
class WorkerClock {
public:
    /// The time of a batch by this process's clock. `waited`: for how long the executor's first thread and this thread
    /// were ready to run and had no CPU. The executor does not report this time.
    struct Batch {
        double seconds = 0, waited = 0;
    };

    /// Means of one batch, of calls or idle: seconds per sample with its surroundings, and seconds of the surroundings
    /// alone.
    struct SurroundedSamples {
        std::size_t samples = 0;
        double seconds_each = 0, around_each = 0;
    };

    /// Whether a batch of this time can have had these samples, on `sets` sets of buffers. Batches without turns show
    /// what a batch itself costs. Remembers a batch for `hidden` if it agrees, is long enough, and neither repeated a
    /// turn nor copied outputs.
    bool agrees(const SampleRequest& request, const Samples& samples, int sets, Batch batch);
    /// Time that no batch reported, accepted because a thread waited for a CPU. In seconds, of all batches.
    double excused_seconds() const { return excused_seconds_; }

    enum class Hidden { nothing, something, unknown };
    /// Whether the surroundings of a sample take longer than in idle batches, in which no kernel is called and the
    /// executor touches the buffers, so that the same lines are in the caches afterwards. Unknown if there are too few
    /// batches of either kind that hardly waited for a CPU, or if the difference may be chance.
    Hidden hidden() const;
    /// The most time per sample that a kernel may have hidden, if `hidden()` is unknown: the surroundings' mean seconds
    /// over all sides and batches, minus those of the fastest idle batch.
    double unexplained_seconds() const;
    /// Forgets the batches that `hidden` compares.
    void forget();

private:
    double empty_seconds_ = 0;  ///< seconds of the longest batch without turns
    double excused_seconds_ = 0;
    double seconds_around_samples_ = 0;  ///< of all batches with samples
    std::size_t samples_ = 0;            ///< in these batches, of all sides
    std::optional<double> least_around_nothing_;
    std::vector<SurroundedSamples> of_samples_, of_nothing_;  ///< the batches that can be compared
};

}  // namespace kernelgen
