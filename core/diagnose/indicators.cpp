// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/indicators.h"

#include <algorithm>

#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

/// The most that a metric can reach. Times and bandwidths grow by at most the headroom. In a GPU's L2 a byte that is
/// read once with cold caches misses, a byte that is written hits; where tiles read bytes again, no limit is known.
std::optional<double> most_of(const Evidence& evidence, const std::string& name) {
    if (name == metrics::cache_hit_rate.name)
        return evidence.kind == "cuda" && !evidence.needs_reuse ? evidence.value(metrics::written_share.name)
                                                                : std::nullopt;
    if (name != metrics::speedup.name && name != metrics::bandwidth_use.name) return std::nullopt;
    const auto value = evidence.value(name), headroom = evidence.value(metrics::headroom.name);
    return value && headroom ? std::optional(*value * *headroom) : std::nullopt;
}

Indicator indicator_of(const Evidence& evidence, const std::string& name, double goal) {
    Indicator indicator{.name = name, .value = evidence.value(name), .reason = {}, .goal = goal, .reachable = {}};
    const auto missing = evidence.missing.find(name);
    if (!indicator.value && missing != evidence.missing.end()) indicator.reason = missing->second;
    if (name == metrics::speedup.name && indicator.value) indicator.lower = evidence.speedup_lower;
    const std::optional<double> most = most_of(evidence, name);
    // Other traffic may lift a counter a little above what the definition allows.
    if (most && *most <= goal && !indicator.reached())
        indicator.reachable = std::max(*most, indicator.value.value_or(0));
    return indicator;
}

}  // namespace

std::vector<Indicator> indicators_of(const Evidence& evidence, double target_speedup,
                                     const std::map<std::string, double>& goals) {
    std::vector<Indicator> indicators = {indicator_of(evidence, metrics::speedup.name, target_speedup)};
    for (const auto& [name, goal] : goals) indicators.push_back(indicator_of(evidence, name, goal));
    return indicators;
}

}  // namespace kernelgen
