// SPDX-License-Identifier: Apache-2.0
#include "core/tune/gaussian_process.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelgen {

namespace {

/// A normal belief about a logarithm.
struct Belief {
    double mean, deviation;

    double log_density(double value) const { return -0.5 * std::pow((value - mean) / deviation, 2); }
    double slope(double value) const { return (mean - value) / (deviation * deviation); }
};

constexpr double weight_of_parameter = -1.5, weight_of_derived = -2.5, deviation_of_weight = 1.3;
constexpr Belief scale_belief{0, 1}, noise_belief{-4, 1};
constexpr double least_noise = 1e-6;
/// The variance of a past's weight around its share in the mean of all.
constexpr double past_weight = 0.1;
/// The least and greatest logarithm that is tried.
constexpr double lowest = -8, highest = 6;

double matern(double squared) {
    const double r = std::sqrt(5 * squared);
    return (1 + r + r * r / 3) * std::exp(-r);
}

/// The derivative of `matern` by the squared distance.
double matern_slope(double squared) {
    const double r = std::sqrt(5 * squared);
    return -5.0 / 6.0 * (1 + r) * std::exp(-r);
}

/// All that is learnt in one vector: the weights, the scale, the noise.
Eigen::VectorXd packed(const Kernel& kernel) {
    Eigen::VectorXd all(kernel.log_weights.size() + 2);
    all << kernel.log_weights, kernel.log_scale, kernel.log_noise;
    return all;
}

void unpack(const Eigen::VectorXd& all, Kernel& kernel) {
    kernel.log_weights = all.head(all.size() - 2);
    kernel.log_scale = all(all.size() - 2);
    kernel.log_noise = all(all.size() - 1);
}

struct Likelihood {
    double value = -std::numeric_limits<double>::infinity();
    Eigen::VectorXd slope;
};

void add_beliefs(const Kernel& kernel, Likelihood& likelihood) {
    const Eigen::Index features = kernel.log_weights.size();
    for (Eigen::Index i = 0; i < features; ++i) {
        const Belief belief{kernel.log_weights_before(i), deviation_of_weight};
        likelihood.value += belief.log_density(kernel.log_weights(i));
        likelihood.slope(i) += belief.slope(kernel.log_weights(i));
    }
    likelihood.value += scale_belief.log_density(kernel.log_scale) + noise_belief.log_density(kernel.log_noise);
    likelihood.slope(features) += scale_belief.slope(kernel.log_scale);
    likelihood.slope(features + 1) += noise_belief.slope(kernel.log_noise);
}

Eigen::MatrixXd squared_distances(const Eigen::MatrixXd& scaled) {
    const Eigen::VectorXd norms = scaled.rowwise().squaredNorm();
    Eigen::MatrixXd squared = -2 * scaled * scaled.transpose();
    squared.colwise() += norms;
    squared.rowwise() += norms.transpose();
    return squared.cwiseMax(0);
}

/// The logarithm of the marginal likelihood (Rasmussen and Williams, equations 5.8 and 5.9) and of the beliefs.
Likelihood likelihood_of(const Kernel& kernel, const Eigen::MatrixXd& rows, const Eigen::MatrixXd& linear,
                         const Eigen::VectorXd& targets) {
    const Eigen::Index count = rows.rows(), features = rows.cols();
    const Eigen::VectorXd weights = kernel.log_weights.array().exp();
    const double scale = std::exp(kernel.log_scale), noise = std::exp(kernel.log_noise);
    const Eigen::MatrixXd squared = squared_distances(rows * weights.cwiseSqrt().asDiagonal());
    const Eigen::MatrixXd alike = scale * squared.unaryExpr(&matern);
    Eigen::MatrixXd covariance = alike + linear;
    covariance.diagonal().array() += noise + least_noise;
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
    Likelihood likelihood{.slope = Eigen::VectorXd::Zero(features + 2)};
    if (factor.info() != Eigen::Success) return likelihood;
    const Eigen::VectorXd solved = factor.solve(targets);
    likelihood.value = -0.5 * targets.dot(solved) - factor.matrixLLT().diagonal().array().log().sum();
    const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(count, count));
    const Eigen::MatrixXd pull = 0.5 * (solved * solved.transpose() - inverse);
    const Eigen::MatrixXd by_distance = scale * pull.cwiseProduct(squared.unaryExpr(&matern_slope));
    // The sum of by_distance(i, j) times the squared difference of rows i and j, for all features at once.
    const Eigen::VectorXd sums = by_distance.rowwise().sum();
    const Eigen::VectorXd by_weight =
        2 * (rows.cwiseAbs2().transpose() * sums - (by_distance * rows).cwiseProduct(rows).colwise().sum().transpose());
    likelihood.slope << by_weight.cwiseProduct(weights), pull.cwiseProduct(alike).sum(), noise * pull.trace();
    add_beliefs(kernel, likelihood);
    return likelihood;
}

}  // namespace

Kernel::Kernel(const std::vector<bool>& are_parameters)
    : log_scale(scale_belief.mean),
      log_noise(noise_belief.mean),
      log_weights_before(static_cast<Eigen::Index>(are_parameters.size())) {
    for (std::size_t i = 0; i < are_parameters.size(); ++i)
        log_weights_before(static_cast<Eigen::Index>(i)) = are_parameters[i] ? weight_of_parameter : weight_of_derived;
    log_weights = log_weights_before;
}

void Kernel::take_features(Eigen::Index count) {
    const Eigen::Index before = log_weights.size(), added = std::max<Eigen::Index>(0, count - before);
    for (Eigen::VectorXd* each : {&log_weights, &log_weights_before}) {
        each->conservativeResize(count);
        each->tail(added).setConstant(weight_of_derived);
    }
}

/// Rprop: each number has a step of its own, which grows while its slope keeps its sign and halves when that turns.
void Kernel::learn(const Eigen::MatrixXd& rows, const Eigen::MatrixXd& past, const Eigen::VectorXd& targets,
                   int steps) {
    const Eigen::MatrixXd linear = past_weight * past * past.transpose();
    Eigen::VectorXd here = packed(*this), best = here;
    Eigen::VectorXd before = Eigen::VectorXd::Zero(here.size()), width = Eigen::VectorXd::Constant(here.size(), 0.3);
    double best_value = -std::numeric_limits<double>::infinity();
    for (int step = 0; step < steps; ++step) {
        unpack(here, *this);
        Likelihood likelihood = likelihood_of(*this, rows, linear, targets);
        if (likelihood.value > best_value) {
            best_value = likelihood.value;
            best = here;
        }
        for (Eigen::Index i = 0; i < here.size(); ++i) {
            double& slope = likelihood.slope(i);
            if (slope * before(i) > 0) width(i) = std::min(1.0, width(i) * 1.2);
            if (slope * before(i) < 0) {
                width(i) *= 0.5;
                slope = 0;
            }
            if (slope != 0) here(i) = std::clamp(here(i) + (slope > 0 ? width(i) : -width(i)), lowest, highest);
            before(i) = slope;
        }
    }
    unpack(best, *this);
}

Posterior::Posterior(const Eigen::ArrayXXf& pool, const Eigen::ArrayXXf& past, const Kernel& kernel)
    : past_(past),
      scale_(static_cast<float>(std::exp(kernel.log_scale))),
      noise_(static_cast<float>(std::exp(kernel.log_noise) + least_noise)),
      projected_(pool.rows(), 0),
      variance_(Eigen::ArrayXf::Constant(pool.rows(), scale_)) {
    std::vector<Eigen::Index> that_matter;
    for (Eigen::Index i = 0; i < pool.cols(); ++i) {
        if (std::exp(kernel.log_weights(i)) > 1e-3) that_matter.push_back(i);
    }
    const Eigen::ArrayXf roots = (kernel.log_weights.array() / 2).exp().cast<float>()(that_matter);
    scaled_ = pool(Eigen::all, that_matter).rowwise() * roots.transpose();
    variance_ += static_cast<float>(past_weight) * past.square().rowwise().sum();
}

Eigen::ArrayXf Posterior::covariance_with(std::size_t row) const {
    const auto here = static_cast<Eigen::Index>(row);
    Eigen::ArrayXf r = Eigen::ArrayXf::Zero(scaled_.rows());
    for (Eigen::Index i = 0; i < scaled_.cols(); ++i) r += (scaled_.col(i) - scaled_(here, i)).square();
    r = (5 * r).sqrt();
    Eigen::ArrayXf covariance = scale_ * (1 + r + r.square() / 3) * (-r).exp();
    for (Eigen::Index i = 0; i < past_.cols(); ++i)
        covariance += static_cast<float>(past_weight) * past_(here, i) * past_.col(i);
    return covariance;
}

/// A step of the Cholesky factorization for the new one and for the whole pool.
void Posterior::add(std::size_t row) {
    const auto here = static_cast<Eigen::Index>(row);
    if (count_ == projected_.cols()) {
        const Eigen::Index room = std::max<Eigen::Index>(32, 2 * count_);
        projected_.conservativeResize(scaled_.rows(), room);
        factor_.conservativeResize(room, room);
    }
    Eigen::VectorXf column = covariance_with(row);
    const Eigen::VectorXf known = projected_.row(here).head(count_);
    const float own = column(here) + noise_;
    column.noalias() -= projected_.leftCols(count_) * known;
    const float diagonal = std::sqrt(std::max(own - known.squaredNorm(), noise_ / 2));
    factor_.row(count_).head(count_) = known.transpose();
    factor_(count_, count_) = diagonal;
    projected_.col(count_) = column / diagonal;
    variance_ -= projected_.col(count_).array().square();
    ++count_;
}

Eigen::ArrayXf Posterior::mean(const Eigen::VectorXd& targets) const {
    const auto factor = factor_.topLeftCorner(count_, count_).triangularView<Eigen::Lower>();
    const Eigen::VectorXf solved = factor.solve(targets.cast<float>());
    return (projected_.leftCols(count_) * solved).array();
}

Eigen::ArrayXf Posterior::deviation() const { return variance_.max(1e-9F).sqrt(); }

}  // namespace kernelgen
