// SPDX-License-Identifier: Apache-2.0
#include "core/tune/importance.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/tune/tuned_columns.h"

namespace kernelgen {

namespace {

constexpr std::size_t fewest = 10;  ///< configurations of which anything can be said

/// The sums of a least-squares fit with an effect for each value of each tunable.
struct EffectSums {
    std::vector<TunedColumn> columns;
    std::vector<Eigen::Index> first;  ///< effect of each column
    Eigen::MatrixXd products;
    Eigen::VectorXd targets;
    double variance = 0;  ///< sum of squares about the mean
};

std::vector<double> centred_logarithms(const Tuning& tuning, const std::vector<std::size_t>& rows) {
    std::vector<double> values;
    double mean = 0;
    for (const std::size_t row : rows) {
        values.push_back(std::log(tuning.tried[row].objective));
        mean += values.back() / static_cast<double>(rows.size());
    }
    for (double& each : values) each -= mean;
    return values;
}

EffectSums sums_of(const std::vector<TunedColumn>& columns, const std::vector<std::size_t>& rows,
                   const std::vector<double>& values) {
    EffectSums sums;
    sums.columns = columns;
    Eigen::Index count = 0;
    for (const TunedColumn& each : columns) {
        sums.first.push_back(count);
        count += static_cast<Eigen::Index>(each.values.size());
    }
    sums.products = Eigen::MatrixXd::Zero(count, count);
    sums.targets = Eigen::VectorXd::Zero(count);
    std::vector<Eigen::Index> effects(columns.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t c = 0; c < columns.size(); ++c) effects[c] = sums.first[c] + columns[c].places[rows[i]];
        for (const Eigen::Index a : effects) {
            for (const Eigen::Index b : effects) sums.products(a, b) += 1;
            sums.targets(a) += values[i];
        }
        sums.variance += values[i] * values[i];
    }
    return sums;
}

/// The share of the variance that the effects explain without those of the column `left_out`.
double explained_by(const EffectSums& sums, std::optional<std::size_t> left_out) {
    std::vector<Eigen::Index> kept;
    for (std::size_t c = 0; c < sums.columns.size(); ++c) {
        for (std::size_t v = 0; v < sums.columns[c].values.size() && c != left_out; ++v)
            kept.push_back(sums.first[c] + static_cast<Eigen::Index>(v));
    }
    if (kept.empty()) return 0;
    const Eigen::MatrixXd products = sums.products(kept, kept);
    const Eigen::VectorXd targets = sums.targets(kept);
    const auto count = static_cast<Eigen::Index>(kept.size());
    const Eigen::VectorXd effects = (products + Eigen::MatrixXd::Identity(count, count)).llt().solve(targets);
    return (2 * effects.dot(targets) - effects.dot(products * effects)) / sums.variance;
}

}  // namespace

std::optional<Importance> importance_of(const Tuning& tuning) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < tuning.tried.size(); ++i) {
        if (tuning.tried[i].is_ok() && tuning.tried[i].objective > 0) rows.push_back(i);
    }
    if (rows.size() < fewest) return std::nullopt;
    std::vector<TunedColumn> columns = columns_of(tuning);
    std::erase_if(columns, [&](const TunedColumn& each) {
        return std::ranges::all_of(rows, [&](std::size_t row) { return each.places[row] == each.places[rows[0]]; });
    });
    const EffectSums sums = sums_of(columns, rows, centred_logarithms(tuning, rows));
    constexpr double rounding = 1e-20;
    if (!(sums.variance > rounding)) return std::nullopt;
    Importance importance{{}, std::clamp(explained_by(sums, {}), 0.0, 1.0), rows.size()};
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const double lost = importance.explained - explained_by(sums, c);
        importance.tunables.push_back({columns[c].name, std::clamp(lost, 0.0, 1.0)});
    }
    std::ranges::stable_sort(importance.tunables, std::greater(), &Importance::OfTunable::share);
    return importance;
}

}  // namespace kernelgen
