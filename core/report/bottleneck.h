// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/measure/result.h"
#include "core/measure/roofline.h"
#include "core/round/noise.h"

namespace kernelgen {

/// The sources' goals, as fractions.
inline constexpr double bandwidth_goal = 0.6;
inline constexpr double cache_hit_goal = 0.8;
inline constexpr double tail_waste_limit = 0.1;   ///< share of the threads' time
inline constexpr double near_ceiling_from = 0.9;  ///< share of the roofline

enum class Bottleneck { near_ceiling, memory_bandwidth, compute, cache, parallelism, spread, unknown };

/// A statement by rule, from what is known, with the numbers it rests on.
struct BottleneckFinding {
    Bottleneck kind = Bottleneck::unknown;
    double value = 0;      ///< the number that decided, a fraction; 0 of `unknown`
    double threshold = 0;  ///< the rule's limit

    bool operator==(const BottleneckFinding&) const = default;
};

/// The findings for one timed case, most important first; never empty. What is lost to a partial last wave comes before
/// what bounds the kernel, since it hides it; a spread that makes the numbers doubtful comes last.
std::vector<BottleneckFinding> find_bottlenecks(const BenchResult& timing, const RooflinePoint& roofline);

}  // namespace kernelgen
