// SPDX-License-Identifier: Apache-2.0
#include "core/bench/alternations.h"

#include <algorithm>

#include "core/measure/statistics.h"

namespace kernelgen {

void Alternations::add(std::span<const double> first, std::span<const double> second) {
    first_.push_back(summarise(first).p50);
    second_.push_back(summarise(second).p50);
}

void Alternations::forget() {
    first_.clear();
    second_.clear();
}

Alternations::Longer Alternations::longer(Limit limit) const {
    constexpr int fewest = 8;  // of which an interval of the median can be made
    if (pairs() < fewest) return Longer::unknown;
    std::vector<double> beyond = second_;
    for (double& each : beyond) each = std::max(0.0, each - limit.seconds);
    const Speedup ratio = speedup_of(first_, beyond);
    if (ratio.lower > limit.ratio) return Longer::yes;
    return ratio.upper <= limit.ratio ? Longer::no : Longer::unknown;
}

}  // namespace kernelgen
