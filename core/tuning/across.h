// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <vector>

#include "core/tune/tuning_file.h"
#include "core/tuning/tune.h"

namespace kernelgen {

/// What a race across cases needs; all must outlive it.
struct AcrossJob {
    const RunPlan& plan;  ///< with all cases and the device's numbers
    const Objective& objective;
    double seconds = 0;  ///< about so many for all
    TuningFile& file;
    WorkerClient& worker;
    const TuneProgress& progress;
    std::stop_token stop;
};

/// The configurations that a command's tunings have to compare: of each its outcome, its incumbent, and the best
/// others; twelve at most, the outcomes first.
std::vector<Configuration> finals_of(const std::vector<Tuning>& tunings);

/// Builds, screens and races these configurations together on each tuning's case, so that rules can be proposed, and
/// records what came of it in `Tuning::across`. A configuration that the case does not allow is left out. Nothing
/// more is done where a stop is requested or the worker has died. Errors: a line that cannot be written.
Result<void> race_across(const AcrossJob& job, std::vector<CaseTuning>& done);

}  // namespace kernelgen
