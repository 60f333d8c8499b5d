// SPDX-License-Identifier: Apache-2.0
#include "core/report/bottleneck.h"

namespace kernelgen {

namespace {

BottleneckFinding bound_of(const RooflinePoint& roofline) {
    if (!roofline.has_ceilings) return {};
    if (roofline.fraction >= near_ceiling_from) return {Bottleneck::near_ceiling, roofline.fraction, near_ceiling_from};
    const Bottleneck kind = roofline.memory_bound ? Bottleneck::memory_bandwidth : Bottleneck::compute;
    return {kind, roofline.fraction, bandwidth_goal};
}

}  // namespace

std::vector<BottleneckFinding> find_bottlenecks(const BenchResult& timing, const RooflinePoint& roofline) {
    std::vector<BottleneckFinding> findings;
    const BottleneckFinding bound = bound_of(roofline);
    const bool at_ceiling = bound.kind == Bottleneck::near_ceiling;
    if (!at_ceiling && timing.tail_waste > tail_waste_limit) {
        findings.push_back({Bottleneck::parallelism, timing.tail_waste, tail_waste_limit});
    }
    findings.push_back(bound);
    const auto& hit_rate = timing.counters.cache_hit_rate;
    // At the ceiling a miss costs nothing more: the data have to come from memory.
    if (!at_ceiling && hit_rate && *hit_rate < cache_hit_goal) {
        findings.push_back({Bottleneck::cache, *hit_rate, cache_hit_goal});
    }
    const double spread = timing.candidate.relative_standard_deviation;
    if (spread > spread_limit) findings.push_back({Bottleneck::spread, spread, spread_limit});
    return findings;
}

}  // namespace kernelgen
