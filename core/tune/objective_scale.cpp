// SPDX-License-Identifier: Apache-2.0
#include "core/tune/objective_scale.h"

#include <algorithm>
#include <cmath>

namespace kernelgen {

namespace {

/// The scale bends at this many times the distance from the best to the median, but at least at a factor of two. Beyond
/// the bend its slope is `slope_beyond`.
constexpr double bend_by_median = 1.5, least_bend = 0.7, slope_beyond = 0.2;

}  // namespace

std::optional<double> usable(const std::optional<double>& objective) {
    if (!objective || !std::isfinite(*objective) || *objective <= 0) return std::nullopt;
    return objective;
}

ObjectiveScale::ObjectiveScale(const std::vector<std::optional<double>>& objectives) {
    std::vector<double> logarithms;
    for (const auto& each : objectives) {
        if (usable(each)) logarithms.push_back(std::log(*each));
    }
    if (logarithms.empty()) return;
    std::ranges::sort(logarithms);
    const double best = logarithms.front(), median = logarithms[logarithms.size() / 2];
    slowest_ = logarithms.back();
    bend_ = best + std::max(least_bend, bend_by_median * (median - best));
}

double ObjectiveScale::of(const std::optional<double>& objective) const {
    const double logarithm = usable(objective) ? std::log(*objective) : slowest_;
    return logarithm <= bend_ ? logarithm : bend_ + slope_beyond * (logarithm - bend_);
}

}  // namespace kernelgen
