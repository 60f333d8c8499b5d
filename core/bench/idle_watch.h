// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>

#include "core/backend/foreign_threads.h"

namespace kernelgen {

/// Whether what kernels start runs in batches in which nobody is called. A thread that does slows the others down, or
/// computes before it is asked.
class IdleWatch {
public:
    /// Before such a batch. Threads that spin for a moment after their call, as OpenMP's do, end that here.
    void begin(const ForeignThreads& threads);
    /// After it.
    void end(const ForeignThreads& threads);

    /// How long they ran, as a share of these batches' time; 0 where the system does not tell, or too
    /// little time was seen.
    double share() const;
    bool is_quiet() const;
    bool has_seen_enough() const;

private:
    std::chrono::steady_clock::time_point start_;
    std::map<ForeignThreads::Id, double> before_;
    double seconds_ = 0, ran_ = 0;
};

}  // namespace kernelgen
