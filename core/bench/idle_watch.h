// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>

#include "core/backend/foreign_threads.h"

namespace kernelgen {

/// Finds threads and processes of kernels that run in idle batches (batches in which no kernel is called). Such threads
/// slow the other sides down, or compute outputs in advance.
class IdleWatch {
public:
    /// Call before an idle batch. Waits until threads that spin for a moment after their call, as OpenMP's do, have
    /// stopped.
    void begin(const ForeignThreads& threads);
    /// Call after an idle batch.
    void end(const ForeignThreads& threads);

    /// The time for which such threads ran, as a share of the time of the idle batches; 0 where the system does not
    /// report this, or where too little time was observed.
    double share() const;
    bool is_quiet() const;
    bool has_seen_enough() const;

private:
    std::chrono::steady_clock::time_point start_;
    std::map<ForeignThreads::Id, double> before_;
    double seconds_ = 0, ran_ = 0;
};

}  // namespace kernelgen
