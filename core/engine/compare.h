// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/run.h"
#include "core/round/comparison.h"

namespace kernelgen {

/// A comparison with all choices made.
struct ComparisonPlan {
    std::vector<RunPlan> runs;  ///< one for each variant, in the project's order; all with the same baseline and cases
};

/// Chooses the variants of a comparison: those of `variants`, or all that run on the device. `options` are as for one
/// run; of its changes each variant takes those for its own tunables. Errors: as `plan_run`, and a device without a
/// baseline or without variants.
Validated<ComparisonPlan> plan_comparison(const Project& project, const RunOptions& options,
                                          const std::vector<std::string>& variants = {});

/// Called after each variant was verified, and once after all were timed.
using ComparedSoFar = std::function<void(const Comparison&)>;

/// Verifies each variant, then times all right ones in one rotation with the baseline. A variant that is wrong or
/// cannot run has its status and no time. Libraries and PyTorch are verified as baselines are, on the timed cases only;
/// their errors on edge values are among their warnings. When stopped, the result has the variants that were finished.
Comparison compare(const ComparisonPlan& plan, WorkerClient& worker, const Progress& progress,
                   const ComparedSoFar& so_far, std::stop_token stop);

}  // namespace kernelgen
