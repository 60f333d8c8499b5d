// SPDX-License-Identifier: Apache-2.0
#include "core/tune/built_resources.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

namespace kernelgen {

namespace {

constexpr std::size_t least_builds = 8;  ///< that must be known before others are guessed
constexpr double ridge = 0.05;           ///< keeps the weights small, since there are more features than first builds

using Known = std::map<std::size_t, double>;

/// The guesses of a ridge regression for all rows, within the range of what is known.
Eigen::ArrayXf guessed(const Known& known, const Eigen::ArrayXXf& features, double least, double greatest) {
    const auto count = static_cast<Eigen::Index>(known.size());
    Eigen::MatrixXd rows(count, features.cols());
    Eigen::VectorXd values(count);
    Eigen::Index i = 0;
    for (const auto& [row, value] : known) {
        rows.row(i) = features.row(static_cast<Eigen::Index>(row)).matrix().cast<double>();
        values(i++) = value;
    }
    const double mean = values.mean();
    const Eigen::RowVectorXd centre = rows.colwise().mean();
    rows.rowwise() -= centre;
    Eigen::MatrixXd normal = rows.transpose() * rows;
    normal.diagonal().array() += ridge;
    const Eigen::VectorXd right = rows.transpose() * (values.array() - mean).matrix();
    const Eigen::VectorXf weights = normal.llt().solve(right).cast<float>();
    const float offset = static_cast<float>(mean) - centre.cast<float>().dot(weights);
    const Eigen::ArrayXf guesses = (features.matrix() * weights).array() + offset;
    return guesses.max(static_cast<float>(least)).min(static_cast<float>(greatest));
}

}  // namespace

void BuiltResources::tell(std::size_t row, const std::map<std::string, double>& resources) {
    for (const auto& [name, value] : resources) {
        if (std::isfinite(value) && value >= 0) logarithms_[name][row] = std::log2(1 + value);
    }
}

Eigen::ArrayXXf BuiltResources::columns(const Eigen::ArrayXXf& features) const {
    std::vector<Eigen::ArrayXf> columns;
    for (const auto& [name, known] : logarithms_) {
        const auto [least, greatest] = std::ranges::minmax(known | std::views::values);
        if (known.size() < least_builds || least == greatest) continue;
        Eigen::ArrayXf column = guessed(known, features, least, greatest);
        for (const auto& [row, value] : known) column(static_cast<Eigen::Index>(row)) = static_cast<float>(value);
        columns.push_back((column - static_cast<float>(least)) / static_cast<float>(greatest - least));
    }
    Eigen::ArrayXXf all(features.rows(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = columns[i];
    return all;
}

}  // namespace kernelgen
