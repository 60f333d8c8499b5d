// SPDX-License-Identifier: Apache-2.0
#include "core/tune/gain_model.h"

#include <algorithm>
#include <cmath>

#include "core/tune/features.h"
#include "core/tune/gaussian_process.h"

namespace kernelgen {

namespace {

constexpr std::size_t fewest_timed = 8, most_timed = 150;
constexpr int learning_steps = 20;

struct Timed {
    std::size_t index = 0;
    double logarithm = 0;  ///< of seconds
};

/// The fastest that were timed in full: what is far from the best says little about steps near it.
std::vector<Timed> timed_in(const TuningSpace& space, const Tuning& tuning) {
    std::vector<Timed> timed;
    for (const Tried& each : tuning.tried) {
        const auto index = space.find(each.configuration);
        if (!index || !each.is_ok() || !(each.seconds > 0)) continue;
        const auto known = std::ranges::find(timed, *index, &Timed::index);
        if (known != timed.end()) known->logarithm = std::log(each.seconds);
        else timed.push_back({*index, std::log(each.seconds)});
    }
    std::ranges::sort(timed, {}, &Timed::logarithm);
    timed.resize(std::min(timed.size(), most_timed));
    return timed;
}

/// Targets of mean 0 and deviation 1.
struct Standardised {
    Eigen::VectorXd values;
    double spread = 1;
};

Standardised standardised(const std::vector<Timed>& timed) {
    Standardised targets{.values = Eigen::VectorXd(std::ssize(timed))};
    for (std::size_t i = 0; i < timed.size(); ++i) targets.values(static_cast<Eigen::Index>(i)) = timed[i].logarithm;
    targets.values.array() -= targets.values.mean();
    targets.spread = std::max(1e-6, std::sqrt(targets.values.array().square().mean()));
    targets.values /= targets.spread;
    return targets;
}

/// The space, and the places of what is asked for in it; without a place where it has none.
struct Asked {
    std::size_t before = 0;
    std::vector<std::optional<std::size_t>> after;
};

std::optional<Asked> asked_of(const TuningSpace& space, const Configuration& before,
                              const std::vector<Configuration>& after) {
    const auto first = space.find(before);
    if (!first) return std::nullopt;
    Asked asked{.before = *first};
    for (const Configuration& each : after) asked.after.push_back(space.find(each));
    return asked;
}

std::vector<std::optional<PredictedGain>> predicted(const TuningSpace& space, const std::vector<Timed>& timed,
                                                    const Asked& asked) {
    std::vector<std::size_t> pool;
    for (const Timed& each : timed) pool.push_back(each.index);
    pool.push_back(asked.before);
    for (const auto& each : asked.after) pool.push_back(each.value_or(asked.before));
    const Features features(space, pool);
    const Eigen::ArrayXXf rows = features.rows(pool);
    const Standardised targets = standardised(timed);
    const auto count = static_cast<Eigen::Index>(timed.size());
    Kernel kernel(features.are_parameters());
    kernel.learn(rows.topRows(count).matrix().cast<double>(), Eigen::MatrixXd(count, 0), targets.values,
                 learning_steps);
    const Eigen::ArrayXXf nothing(rows.rows(), 0);
    Posterior posterior(rows, nothing, kernel);
    for (std::size_t i = 0; i < timed.size(); ++i) posterior.add(i);
    const Eigen::ArrayXf mean = posterior.mean(targets.values), deviation = posterior.deviation();
    std::vector<std::optional<PredictedGain>> gains;
    for (std::size_t i = 0; i < asked.after.size(); ++i) {
        const Eigen::Index place = count + 1 + static_cast<Eigen::Index>(i);
        if (!asked.after[i]) {
            gains.emplace_back();
            continue;
        }
        const double both = std::hypot(static_cast<double>(deviation(count)), static_cast<double>(deviation(place)));
        gains.push_back(
            PredictedGain{static_cast<double>(mean(count) - mean(place)) * targets.spread, both * targets.spread});
    }
    return gains;
}

}  // namespace

std::vector<std::optional<PredictedGain>> predict_gains(const Tuning& tuning, const Configuration& before,
                                                        const std::vector<Configuration>& after) {
    const TuningHead& head = tuning.head;
    std::vector<Configuration> tried = {before};
    for (const Tried& each : tuning.tried) tried.push_back(each.configuration);
    std::ranges::copy(after, std::back_inserter(tried));
    std::ranges::sort(tried);
    tried.erase(std::ranges::unique(tried).begin(), tried.end());
    const Result<TuningSpace> space = TuningSpace::of(head.parameters, tried);
    if (!space) return {};
    const std::vector<Timed> timed = timed_in(*space, tuning);
    const auto asked = asked_of(*space, before, after);
    if (timed.size() < fewest_timed || !asked) return {};
    return predicted(*space, timed, *asked);
}

}  // namespace kernelgen
