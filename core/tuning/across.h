// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/tune/tuning_file.h"
#include "core/tuning/time_budget.h"
#include "core/tuning/tune.h"

namespace kernelgen {

/// What a race across cases needs; all must outlive it.
struct AcrossJob {
    const RunPlan& plan;  ///< with all cases and the device's numbers
    const Objective& objective;
    TuningFile& file;
    WorkerClient& worker;
    const TuneProgress& progress;
    const TimeBudget& time;  ///< of the command, which this is the last part of
};

/// The configurations that a command's tunings have to compare: of each its outcome, its incumbent, and the best
/// others; twelve at most, the outcomes first.
std::vector<Configuration> finals_of(const std::vector<Tuning>& tunings);

/// Builds, screens and races as many of these configurations as there is time for together on each tuning's case, so
/// that rules can be proposed, and records what came of it in `Tuning::across`. Nothing is done where there is not even
/// time for the outcomes and incumbents. A configuration that the case does not allow is left out. Nothing more is done
/// where the time is over or the worker has died. Errors: a line that cannot be written.
Result<void> race_across(const AcrossJob& job, std::vector<CaseTuning>& done);

}  // namespace kernelgen
