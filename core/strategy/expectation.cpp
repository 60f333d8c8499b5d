// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/expectation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kernelgen {

namespace {

/// Half the width of a 90 % interval in standard deviations.
constexpr double ninety = 1.645;

/// Which share of the logarithm of the possible gain a strategy usually gains; used before anything was learnt. A
/// generated kernel gains most of it (0.79 to 0.94 of it in eight samples on an H100, 0.9 in softmax on a CPU;
/// docs/OPTIMIZE.md). A search gains a part, and loses nothing, since the present configuration stays where no other is
/// better. A single step gains little, and may lose.
struct Shares {
    double lower, likely, upper;
};
constexpr Shares of_skeleton{0.78, 0.9, 1}, of_search{0, 0.35, 0.9}, of_step{-0.25, 0.15, 0.7};

Shares shares_of(std::string_view strategy) {
    if (strategy == "another_skeleton") return of_skeleton;
    return strategy == "tune" ? of_search : of_step;
}

Gain gain_of(double lower, double likely, double upper) {
    return {std::exp(likely), std::exp(std::min(lower, likely)), std::exp(std::max(upper, likely))};
}

/// A room that is hardly more than noise leaves room for losses all the same.
constexpr double least_step = 0.08;

/// The standard deviation of the logarithm of a gain, which two runs measure: each adds its noise.
double noise_of(const Outlook& outlook) { return outlook.noise * std::numbers::sqrt2; }

Gain from_bound(const Outlook& outlook) {
    const Shares shares = shares_of(outlook.strategy);
    const double noise = ninety * noise_of(outlook);
    const double loss = std::max(outlook.room, least_step);
    const double lower = shares.lower < 0 ? shares.lower * loss : shares.lower * outlook.room;
    return gain_of(lower - noise, shares.likely * outlook.room, shares.upper * outlook.room + noise);
}

Gain from_model(const PredictedGain& model, double noise) {
    const double deviation = std::hypot(model.deviation, noise);
    return gain_of(model.logarithm - ninety * deviation, model.logarithm, model.logarithm + ninety * deviation);
}

/// A gain, limited to the room and the noise.
Gain within(const Gain& gain, const Outlook& outlook) {
    const double most = std::exp(outlook.room + ninety * noise_of(outlook));
    return {std::min(gain.likely, most), std::min(gain.lower, most), std::min(gain.upper, most)};
}

/// A normal distribution of the logarithm of a gain.
struct Belief {
    double mean, deviation;
};

Belief belief_of(const Gain& gain) { return {std::log(gain.likely), std::log(gain.upper / gain.lower) / 2 / ninety}; }

/// Combines both beliefs: the bound's, and that of the recorded rounds, which weighs more the more rounds there are
/// (the posterior mean of a normal distribution). The interval is as wide as the narrower one.
Expected both(const Expected& bound, const PatternAdvice& patterns) {
    const Belief one = belief_of(bound.gain), other = belief_of(patterns.expected);
    const double weight = 1 / (one.deviation * one.deviation);
    const double of_rounds = patterns.rounds / (other.deviation * other.deviation);
    const double mean = (weight * one.mean + of_rounds * other.mean) / (weight + of_rounds);
    const double half_width = ninety * std::min(one.deviation, other.deviation);
    return {gain_of(mean - half_width, mean, mean + half_width),
            of_rounds > weight ? GainSource::patterns : bound.from};
}

}  // namespace

Expected expected_gain(const Outlook& outlook) {
    if (outlook.model) return {within(from_model(*outlook.model, noise_of(outlook)), outlook), GainSource::model};
    const Expected bound{from_bound(outlook), outlook.is_guess ? GainSource::guess : GainSource::bound};
    if (!outlook.patterns) return bound;
    const Expected found = both(bound, *outlook.patterns);
    return {within(found.gain, outlook), found.from};
}

Expected expected_gain_of_all(std::span<const Outlook> outlooks) {
    constexpr GainSource surest_first[] = {GainSource::model, GainSource::patterns, GainSource::bound,
                                           GainSource::guess};
    const auto rank = [&](GainSource source) { return std::ranges::find(surest_first, source); };
    double likely = 0, lower = 0, upper = 0;
    GainSource from = outlooks.empty() ? GainSource::bound : GainSource::model;
    for (const Outlook& each : outlooks) {
        const Expected one = expected_gain(each);
        likely += std::log(one.gain.likely);
        lower += std::log(one.gain.lower);
        upper += std::log(one.gain.upper);
        if (rank(one.from) > rank(from)) from = one.from;  // the mean is as sure as the least sure case
    }
    const double count = static_cast<double>(std::max<std::size_t>(outlooks.size(), 1));
    return {gain_of(lower / count, likely / count, upper / count), from};
}

}  // namespace kernelgen
