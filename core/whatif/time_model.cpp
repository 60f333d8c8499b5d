// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/time_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/measure/statistics.h"

namespace kernelgen {

namespace {

/// The prior of a coefficient, before any round. A kernel hardly moves bytes faster than a copy does; a FLOP of the
/// definition may take several instructions, a transcendental function a dozen.
struct Prior {
    double mean, deviation;
};
constexpr Prior prior_of_bytes{1.05, 0.1}, prior_of_flops{1.5, 1}, prior_of_functions{10, 6}, prior_of_starts{1, 0.5},
    prior_of_own{0, 1};
constexpr Prior shared_priors[] = {prior_of_bytes, prior_of_flops, prior_of_functions, prior_of_starts};
constexpr std::size_t shared_terms = std::size(shared_priors);
constexpr double noise_of_fit = 0.03;  ///< relative, of a time that the terms explain

using Matrix = std::vector<std::vector<double>>;

/// Solves a symmetric positive definite system by Cholesky's decomposition, in place.
std::vector<double> solve(Matrix matrix, std::vector<double> right) {
    const std::size_t size = right.size();
    for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < j; ++k) matrix[j][j] -= matrix[j][k] * matrix[j][k];
        matrix[j][j] = std::sqrt(matrix[j][j]);
        for (std::size_t i = j + 1; i < size; ++i) {
            for (std::size_t k = 0; k < j; ++k) matrix[i][j] -= matrix[i][k] * matrix[j][k];
            matrix[i][j] /= matrix[j][j];
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
        right[i] /= matrix[i][i];
    }
    for (std::size_t i = size; i-- > 0;) {
        for (std::size_t k = i + 1; k < size; ++k) right[i] -= matrix[k][i] * right[k];
        right[i] /= matrix[i][i];
    }
    return right;
}

/// The mean of the coefficients `used`, given rows of terms that should each sum to 1.
std::vector<double> posterior_mean(const Matrix& rows, const std::vector<Prior>& priors,
                                   const std::vector<std::size_t>& used) {
    Matrix precision(used.size(), std::vector<double>(used.size()));
    std::vector<double> right(used.size());
    const double weight = 1 / (noise_of_fit * noise_of_fit);
    for (std::size_t i = 0; i < used.size(); ++i) {
        const Prior& prior = priors[used[i]];
        precision[i][i] = 1 / (prior.deviation * prior.deviation);
        right[i] = prior.mean * precision[i][i];
        for (const std::vector<double>& row : rows) {
            right[i] += weight * row[used[i]];
            for (std::size_t j = 0; j < used.size(); ++j) precision[i][j] += weight * row[used[i]] * row[used[j]];
        }
    }
    return solve(std::move(precision), std::move(right));
}

/// As `posterior_mean`, of all coefficients; those that would be below 0 are 0.
std::vector<double> posterior_above_zero(const Matrix& rows, const std::vector<Prior>& priors) {
    std::vector<std::size_t> used(priors.size());
    std::iota(used.begin(), used.end(), std::size_t{0});
    std::vector<double> all(priors.size());
    while (!used.empty()) {
        const std::vector<double> mean = posterior_mean(rows, priors, used);
        const std::size_t lowest = static_cast<std::size_t>(std::ranges::min_element(mean) - mean.begin());
        if (mean[lowest] >= 0) {
            for (std::size_t i = 0; i < used.size(); ++i) all[used[i]] = mean[i];
            break;
        }
        used.erase(used.begin() + static_cast<std::ptrdiff_t>(lowest));
    }
    return all;
}

bool are_same_call(const TimedSample& a, const TimedSample& b) {
    return a.kernel == b.kernel && is_same_case(a.binding, b.binding);
}

std::vector<TimedSample> without_repetitions(std::vector<TimedSample> samples) {
    std::vector<TimedSample> all;
    while (!samples.empty()) {
        TimedSample first = samples.front();
        std::vector<double> seconds;
        for (const TimedSample& each : samples) {
            if (are_same_call(each, first)) seconds.push_back(each.seconds);
        }
        std::erase_if(samples, [&](const TimedSample& each) { return are_same_call(each, first); });
        first.seconds = summarise(seconds).p50;
        all.push_back(std::move(first));
    }
    return all;
}

}  // namespace

TimeModel::TimeModel(std::vector<TimedSample> samples) : samples_(without_repetitions(std::move(samples))) {
    if (is_roofline_alone()) return;
    double squares = 0;
    for (const TimedSample& left_out : samples_) {
        std::vector<TimedSample> others = samples_;
        std::erase_if(others, [&](const TimedSample& each) { return are_same_call(each, left_out); });
        fit(others);
        squares += std::pow(std::log(seconds(left_out) / left_out.seconds), 2);
    }
    error_ = std::sqrt(squares / static_cast<double>(samples_.size()));
    fit(samples_);
}

double TimeModel::without_tail(const TimedSample& sample) const { return sample.seconds * (1 - sample.tail); }

/// The terms of a sample, in seconds, by which the coefficients are multiplied.
std::vector<double> TimeModel::terms(const TimedSample& sample) const {
    std::vector<double> row = {sample.memory, sample.arithmetic, sample.functions, sample.starts};
    for (const std::string& kernel : kernels_) row.push_back(kernel == sample.kernel ? sample.memory : 0);
    return row;
}

void TimeModel::fit(std::span<const TimedSample> samples) {
    kernels_.clear();
    for (const TimedSample& each : samples) {
        if (!std::ranges::contains(kernels_, each.kernel)) kernels_.push_back(each.kernel);
    }
    Matrix rows;
    for (const TimedSample& each : samples) {
        rows.push_back(terms(each));
        for (double& term : rows.back()) term /= without_tail(each);
    }
    std::vector<Prior> priors(std::begin(shared_priors), std::end(shared_priors));
    priors.resize(shared_terms + kernels_.size(), prior_of_own);
    coefficients_ = posterior_above_zero(rows, priors);
}

double TimeModel::seconds(const TimedSample& sample) const {
    if (coefficients_.empty()) return sample.seconds;
    const std::vector<double> row = terms(sample);
    const double sum = std::inner_product(row.begin(), row.end(), coefficients_.begin(), 0.0);
    return sum / (1 - sample.tail);
}

TimeParts TimeModel::parts(const TimedSample& sample) const {
    const double all = without_tail(sample);
    TimeParts parts{sample.memory, sample.arithmetic + sample.functions, 0, sample.starts};
    if (!coefficients_.empty()) {
        parts.memory *= coefficients_[0];
        parts.arithmetic = sample.arithmetic * coefficients_[1] + sample.functions * coefficients_[2];
        parts.starts *= coefficients_[3];
    }
    // The parts must add up to the measured time. If their sum is larger, all are made smaller by the same factor; if
    // it is smaller, the rest is the kernel's own part.
    const double sum = parts.sum();
    if (sum > all) parts = {parts.memory / sum * all, parts.arithmetic / sum * all, 0, parts.starts / sum * all};
    else parts.own = all - sum;
    return parts;
}

}  // namespace kernelgen
