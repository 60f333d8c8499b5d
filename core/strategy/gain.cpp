// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/gain.h"

#include <cmath>

#include "core/round/best.h"

namespace kernelgen {

namespace {

/// Standard deviations in half the width of a 95 % interval.
constexpr double deviations = 1.96;

/// A logarithm with its variance.
struct Logarithm {
    double mean = 0, variance = 0;
};

Logarithm logarithm_of(const RoundCase& timed) {
    const double half_width = std::log(timed.speedup_upper / timed.speedup_lower) / 2 / deviations;
    return {std::log(timed.speedup), half_width * half_width};
}

Gain gain_of(const Logarithm& logarithm) {
    const double half_width = deviations * std::sqrt(logarithm.variance);
    return {std::exp(logarithm.mean), std::exp(logarithm.mean - half_width), std::exp(logarithm.mean + half_width)};
}

bool was_timed(const RoundCase& each) {
    return each.status == Status::ok && each.speedup > 0 && each.speedup_lower > 0 &&
           each.speedup_upper >= each.speedup_lower;
}

std::optional<Logarithm> difference(const RoundCase& before, const RoundCase& after) {
    if (!was_timed(before) || !was_timed(after)) return std::nullopt;
    const Logarithm one = logarithm_of(before), other = logarithm_of(after);
    return Logarithm{other.mean - one.mean, one.variance + other.variance};
}

constexpr double noise_variance = noise_between_runs * noise_between_runs;

}  // namespace

double noise_of(const RoundCase& timed) {
    return was_timed(timed) ? std::sqrt(logarithm_of(timed).variance + noise_variance) : noise_between_runs;
}

std::optional<Gain> gain_between(const RoundCase& before, const RoundCase& after) {
    auto found = difference(before, after);
    if (!found) return std::nullopt;
    found->variance += noise_variance;
    return gain_of(*found);
}

std::optional<Gain> gain_between(const Round& before, const Round& after) {
    if (!comparable(before, after) || after.status != Status::ok) return std::nullopt;
    Logarithm sum;
    int count = 0;
    for (const RoundCase& each : after.cases) {
        const RoundCase* earlier = timed_case(before, each.binding);
        const auto found = earlier == nullptr ? std::nullopt : difference(*earlier, each);
        if (!found) continue;
        sum.mean += found->mean;
        sum.variance += found->variance;
        ++count;
    }
    if (count == 0) return std::nullopt;
    return gain_of({sum.mean / count, sum.variance / (count * count) + noise_variance});
}

Gain as_part(const Gain& gain, std::size_t some, std::size_t all) {
    const double share = static_cast<double>(some) / static_cast<double>(all);
    return {std::pow(gain.likely, share), std::pow(gain.lower, share), std::pow(gain.upper, share)};
}

}  // namespace kernelgen
