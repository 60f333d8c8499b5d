// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen {

/// What a model expects of a step from one configuration to another.
struct PredictedGain {
    double logarithm = 0;  ///< of time before over time after
    double deviation = 0;  ///< standard deviation of that
};

/// A Gaussian process over the times of a tuning: configurations that were not tried are predicted from those that
/// were. Predicts, for each of `after`, the step from `before`; nothing for a configuration that the tuning's space
/// does not have. Empty where too few configurations were timed to learn anything.
std::vector<std::optional<PredictedGain>> predict_gains(const Tuning& tuning, const Configuration& before,
                                                        const std::vector<Configuration>& after);

}  // namespace kernelgen
