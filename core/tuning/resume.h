// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/tuning/tune.h"

namespace kernelgen {

/// Gives a plan other texts than those that were read from disk, such as edited ones, for a tuning to go on with.
/// Errors: why it cannot.
using TakeTexts = std::function<Result<void>(RunPlan& plan, const TuningHead& head)>;

/// The plan by which the project's last tuning goes on, as `plan_tuning` makes it where `options.resume`, but with the
/// texts that `take_texts` gives it. Errors: those of `plan_tuning` and of `take_texts`.
Validated<TunePlan> plan_resumed(const Project& project, const TuneOptions& options, const TakeTexts& take_texts);

}  // namespace kernelgen
