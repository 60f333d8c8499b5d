// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace kernelgen {

/// Limits on the errors of a model's layers.
struct LayerLimits {
    double mean = 0.01;   ///< of a layer, in the mean
    double whole = 0.02;  ///< of the whole
};

/// Relative errors of layers that follow each other, put together.
struct AccumulatedError {
    std::size_t layers = 0;
    double sum = 0;              ///< the most that errors add up to, to first order
    double root_of_squares = 0;  ///< what they add up to where they are independent

    double mean() const { return layers == 0 ? 0 : sum / static_cast<double>(layers); }
    bool exceeds_mean(const LayerLimits& limits) const { return mean() > limits.mean; }
    bool exceeds_whole(const LayerLimits& limits) const { return root_of_squares > limits.whole; }
};

AccumulatedError accumulate_errors(const std::vector<double>& relative_errors);

}  // namespace kernelgen
