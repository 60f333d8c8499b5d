// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/said.h"
#include "core/project/project.h"
#include "core/whatif/other_device.h"
#include "core/whatif/predict.h"

namespace kernelgen {

/// A recorded round and the model of its device.
struct ForecastBase {
    RoundDetail round;
    std::vector<TimedSample> samples;  ///< its timed cases
    TimeModel model;                   ///< of the project's rounds on the same device in the same environment
    std::vector<Said> warnings;
};

/// The round of this number, or the newest in which a case was timed. Errors, each with what to do: no such round, none
/// that was timed, and those of `timed_samples`.
Result<ForecastBase> forecast_base(const Project& project, std::optional<int> round);

/// Why the factors say nothing of the round's device: a resource that it does not have.
std::optional<Error> factors_problem(const Factors& factors, const RoundDetail& round);

/// The warps that a GPU's multiprocessor holds of the round's kernel, on this device and with these factors.
using ResidencyOf = std::function<Result<Residency>(const RoundDetail&, DType, const Factors&)>;

/// What the round's cases would take. The factors have no problem. Errors: those of `residency`, which is asked where a
/// GPU's registers, shared memory or threads change.
Result<std::vector<CasePrediction>> predict_all(const ForecastBase& base, const OtherDevice& other,
                                                const ResidencyOf& residency);

}  // namespace kernelgen
