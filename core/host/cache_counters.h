// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// The processor's counters of last-level cache references and misses (perf_event_open(2)) over given threads.
class CacheCounters {
public:
    /// Errors: the system does not permit or have these counters, with the reason.
    static Result<CacheCounters> open(std::span<const int> thread_ids);
    CacheCounters(CacheCounters&& other) noexcept : descriptors_(std::move(other.descriptors_)) {}
    ~CacheCounters();

    void start();
    /// Hits over references since `start`. Errors: nothing was counted.
    Result<double> stop();

private:
    CacheCounters() = default;
    std::vector<int> descriptors_;  ///< references and misses of each thread, in turn
};

}  // namespace kernelgen
