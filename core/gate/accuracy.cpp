// SPDX-License-Identifier: Apache-2.0
#include "core/gate/accuracy.h"

#include <algorithm>

namespace kernelgen {
namespace {

constexpr double room = 1.1;

double grown(double value, const AccuracyMeasure& measure) { return value * room + measure.noticeable; }

}  // namespace

std::span<const AccuracyMeasure> accuracy_measures() {
    static const std::vector<AccuracyMeasure> measures = {
        {metrics::p99_absolute, "p99_absolute_error", "p99_error_limit", &ErrorMetrics::p99_absolute,
         &GatedAccuracy::p99_error, &AccuracyLimits::p99_error, 0},
        {metrics::kl_divergence, "kl_divergence", "kl_divergence_limit", &ErrorMetrics::kl_divergence,
         &GatedAccuracy::kl_divergence, &AccuracyLimits::kl_divergence, 1e-4},
        {metrics::clip_ratio, "clip_ratio", "clip_ratio_limit", &ErrorMetrics::clip_ratio, &GatedAccuracy::clip_ratio,
         &AccuracyLimits::clip_ratio, 1e-5}};
    return measures;
}

GatedAccuracy accuracy_of(const VerifyResult& verified, const Case& binding) {
    GatedAccuracy worst;
    for (const CaseAccuracy& each : verified.cases) {
        if (!each.own_case || each.binding != binding) continue;
        for (const AccuracyMeasure& measure : accuracy_measures())
            worst.*measure.value = std::max(worst.*measure.value, each.metrics.*measure.of_check);
    }
    return worst;
}

std::vector<std::string> worse_in(const GatedAccuracy& now, const GatedAccuracy& then, const AccuracyLimits& limits) {
    std::vector<std::string> keys;
    const AccuracyLimits used = limits_in_use(then, limits);
    for (const AccuracyMeasure& each : accuracy_measures()) {
        if (now.*each.value > *(used.*each.limit)) keys.push_back(each.key);
    }
    return keys;
}

AccuracyLimits limits_in_use(const GatedAccuracy& then, const AccuracyLimits& limits) {
    AccuracyLimits used = limits;
    for (const AccuracyMeasure& each : accuracy_measures()) {
        if (!(used.*each.limit)) used.*each.limit = grown(then.*each.value, each);
    }
    return used;
}

}  // namespace kernelgen
