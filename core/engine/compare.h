// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/run.h"
#include "core/round/comparison.h"

namespace kernelgen {

/// A comparison with everything chosen.
struct ComparisonPlan {
    std::vector<RunPlan> runs;  ///< one a variant, in the project's order; all with the same baseline and cases
};

/// Chooses the variants that run on the device: those of `variants`, or all. `options` as for one run; of its changes,
/// each variant takes those that are for its tunables. Errors: as `plan_run`, and a device without a baseline or
/// without variants.
Checked<ComparisonPlan> plan_comparison(const Project& project, const RunOptions& options,
                                        const std::vector<std::string>& variants = {});

/// Called after each variant was verified, and once when all have been timed.
using ComparedSoFar = std::function<void(const Comparison&)>;

/// Verifies each variant, then times all that are right in one rotation with the baseline; what is not right, or cannot
/// run, has its status and no time. Libraries and PyTorch are verified as baselines are: on the cases that are timed,
/// and how they deviate on edge values is among their warnings. After the timing, a GPU's kernels are built for what
/// they take. Stopped, it holds what was compared until then.
Comparison compare(const ComparisonPlan& plan, WorkerClient& worker, const Progress& progress,
                   const ComparedSoFar& so_far, std::stop_token stop);

}  // namespace kernelgen
