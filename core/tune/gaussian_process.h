// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace kernelgen {

/// How alike the objectives of two configurations are (Rasmussen and Williams, "Gaussian Processes for Machine
/// Learning", chapters 4 and 5): a Matérn 5/2 covariance with a weight for each feature, plus a linear one in the
/// objectives that the same configurations had elsewhere. All is learnt from the trials but the linear part's weight.
struct Kernel {
    Eigen::VectorXd log_weights;  ///< of squared differences
    double log_scale = 0, log_noise = 0;
    Eigen::VectorXd log_weights_before;  ///< what is believed before any trial

    /// `are_parameters`: the features that are believed to matter more.
    explicit Kernel(const std::vector<bool>& are_parameters);
    /// Takes so many features, of which the last may be new, and are derived ones.
    void take_features(Eigen::Index count);

    /// Climbs the likelihood of `targets` for `steps` steps. `rows`: the features of each target; `past`: what it had
    /// elsewhere, a column for each place.
    void learn(const Eigen::MatrixXd& rows, const Eigen::MatrixXd& past, const Eigen::VectorXd& targets, int steps);
};

/// What is believed of all configurations of a pool, given those that were tried. Adding one costs the pool's size
/// times the number of those added before.
class Posterior {
public:
    /// `pool`: features; `past`: as `Kernel::learn` has it. Both must outlive the posterior.
    Posterior(const Eigen::ArrayXXf& pool, const Eigen::ArrayXXf& past, const Kernel& kernel);

    void add(std::size_t row);
    std::size_t size() const { return static_cast<std::size_t>(count_); }

    /// Mean of each of the pool, given the targets of those added.
    Eigen::ArrayXf mean(const Eigen::VectorXd& targets) const;
    Eigen::ArrayXf deviation() const;

private:
    Eigen::ArrayXf covariance_with(std::size_t row) const;

    const Eigen::ArrayXXf& past_;
    Eigen::ArrayXXf scaled_;  ///< features times the roots of their weights; those that do not matter are left out
    float scale_, noise_;
    Eigen::Index count_ = 0;
    Eigen::MatrixXf factor_;     ///< Cholesky factor of the covariance of those added
    Eigen::MatrixXf projected_;  ///< its inverse times their covariance with the pool, a column for each added
    Eigen::ArrayXf variance_;
};

}  // namespace kernelgen
