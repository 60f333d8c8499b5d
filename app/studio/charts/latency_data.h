// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/measure/result.h"

namespace kernelgen::studio {

/// One side's samples: their share in each bin, and their quantiles in seconds.
struct LatencySide {
    std::vector<double> shares;  ///< of all its samples
    double p50 = 0, p90 = 0, p99 = 0;
    int samples = 0;
};

/// Candidate and baseline over the same bins, which are even in the logarithm of time.
struct LatencyData {
    std::vector<double> edges;  ///< seconds; one more than bins; empty without samples
    LatencySide candidate, baseline;
};

LatencyData latencyData(const BenchResult& timing);

}  // namespace kernelgen::studio
