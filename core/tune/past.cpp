// SPDX-License-Identifier: Apache-2.0
#include "core/tune/past.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "core/tune/objective_scale.h"
#include "core/tune/some_of.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_learnt_of_past = 120;
constexpr int past_learning_steps = 20;

bool has_success(const std::vector<Trial>& list) {
    return std::ranges::any_of(list, [](const Trial& each) { return usable(each.objective).has_value(); });
}

double deviation_of(const std::map<std::size_t, double>& values) {
    double sum = 0, squares = 0;
    for (const double each : std::views::values(values)) {
        sum += each;
        squares += each * each;
    }
    const double mean = sum / static_cast<double>(values.size());
    return std::sqrt(std::max(0.0, squares / static_cast<double>(values.size()) - mean * mean));
}

/// Values less their mean, and the mean.
std::pair<Eigen::VectorXd, double> centred(const std::vector<std::size_t>& indices,
                                           const std::map<std::size_t, double>& values) {
    Eigen::VectorXd targets(static_cast<Eigen::Index>(indices.size()));
    for (std::size_t i = 0; i < indices.size(); ++i) targets(static_cast<Eigen::Index>(i)) = values.at(indices[i]);
    const double mean = targets.mean();
    targets.array() -= mean;
    return {targets, mean};
}

}  // namespace

Past::Past(const std::vector<std::vector<Trial>>& lists, const Features& features, std::size_t space_size)
    : features_(features) {
    double deviations = 0;
    for (const std::vector<Trial>& list : lists) {
        if (!has_success(list)) continue;
        recordings_.push_back(read(list));
        if (recordings_.back().values.size() < space_size) learn(recordings_.back());
        deviations += deviation_of(recordings_.back().values);
    }
    if (deviations > 0) unit_ = deviations / static_cast<double>(count());
}

Past::Recording Past::read(const std::vector<Trial>& list) const {
    std::vector<std::optional<double>> objectives;
    for (const Trial& each : list) objectives.push_back(each.objective);
    const ObjectiveScale scale(objectives);
    Recording recording{.values = {}, .learnt = {}, .kernel = Kernel(features_.are_parameters())};
    for (const Trial& each : list) recording.values[each.index] = scale.of(each.objective);
    const double best = std::ranges::min(std::views::values(recording.values));
    for (double& each : std::views::values(recording.values)) each -= best;
    return recording;
}

void Past::learn(Recording& recording) const {
    const auto indices = std::views::keys(recording.values);
    recording.learnt = some_of(std::vector(indices.begin(), indices.end()), most_learnt_of_past,
                               [&](std::size_t index) { return recording.values.at(index); });
    const Eigen::MatrixXd rows = features_.rows(recording.learnt).matrix().cast<double>();
    recording.kernel.learn(rows, Eigen::MatrixXd(rows.rows(), 0), centred(recording.learnt, recording.values).first,
                           past_learning_steps);
}

Eigen::ArrayXXf Past::rows(std::span<const std::size_t> indices) const {
    Eigen::ArrayXXf rows(static_cast<Eigen::Index>(indices.size()), static_cast<Eigen::Index>(count()));
    for (std::size_t i = 0; i < count(); ++i) fill(recordings_[i], indices, rows.col(static_cast<Eigen::Index>(i)));
    return rows / static_cast<float>(unit_);
}

void Past::fill(const Recording& recording, std::span<const std::size_t> indices,
                Eigen::ArrayXXf::ColXpr column) const {
    std::vector<std::size_t> pool = recording.learnt;  // then those that the recording lacks
    std::vector<Eigen::Index> lacking;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto found = recording.values.find(indices[i]);
        if (found != recording.values.end()) {
            column(static_cast<Eigen::Index>(i)) = static_cast<float>(found->second);
        } else {
            pool.push_back(indices[i]);
            lacking.push_back(static_cast<Eigen::Index>(i));
        }
    }
    if (lacking.empty()) return;
    const Eigen::ArrayXXf nothing(static_cast<Eigen::Index>(pool.size()), 0);
    Posterior posterior(features_.rows(pool), nothing, recording.kernel);
    for (std::size_t i = 0; i < recording.learnt.size(); ++i) posterior.add(i);
    const auto [targets, mean] = centred(recording.learnt, recording.values);
    column(lacking) =
        posterior.mean(targets).tail(static_cast<Eigen::Index>(lacking.size())) + static_cast<float>(mean);
}

}  // namespace kernelgen
