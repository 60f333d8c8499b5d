// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/measure/result.h"
#include "core/measure/roofline.h"

namespace kernelgen {

enum class Bottleneck { memory_bandwidth, compute, parallelism, spread, near_ceiling, unknown };

/// A statement by rule, from what is known, with the numbers it rests on.
struct BottleneckFinding {
    Bottleneck kind = Bottleneck::unknown;
    double value = 0;      ///< the number that decided
    double threshold = 0;  ///< the rule's limit
};

/// The findings for one timed case, most important first; never empty. Goals of the sources: bandwidth use over 60 %,
/// cache hit over 80 %.
std::vector<BottleneckFinding> find_bottlenecks(const BenchResult& timing, const RooflinePoint& roofline);

}  // namespace kernelgen
