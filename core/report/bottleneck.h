// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/measure/result.h"
#include "core/measure/roofline.h"
#include "core/round/noise.h"

namespace kernelgen {

/// Thresholds, as fractions.
inline constexpr double bandwidth_goal = 0.6;
inline constexpr double cache_hit_goal = 0.8;
inline constexpr double tail_waste_limit = 0.1;   ///< share of the threads' time
inline constexpr double near_ceiling_from = 0.9;  ///< share of the roofline

enum class Bottleneck { near_ceiling, memory_bandwidth, compute, cache, parallelism, spread, unknown };

/// A statement that a rule makes from known values, with the numbers on which it is based.
struct BottleneckFinding {
    Bottleneck kind = Bottleneck::unknown;
    double value = 0;      ///< the deciding number, a fraction; 0 for `unknown`
    double threshold = 0;  ///< the rule's limit

    bool operator==(const BottleneckFinding&) const = default;
};

/// The findings for one timed case, the most important first; never empty. Time lost in a partial last wave comes
/// before the kernel's bound, which it hides; a spread that makes the numbers doubtful comes last.
std::vector<BottleneckFinding> find_bottlenecks(const BenchResult& timing, const RooflinePoint& roofline);

}  // namespace kernelgen
