// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/round/record.h"
#include "core/worker/client.h"

namespace kernelgen {

/// What a user asks of one run; empty fields take the project's own.
struct RunOptions {
    std::string variant;
    std::string baseline;
    std::string device = "cpu";
    std::vector<std::string> cases;        ///< names, or ad-hoc "P=1000,D=333,dtype=bf16"
    Configuration changes;                 ///< --set
    double timeout_seconds = 30;           ///< of one call of a kernel
    std::optional<double> budget_seconds;  ///< for the samples of a case; nothing: the project's
    std::string note;
    std::string dump_folder;
    bool counters = true;       ///< whether hardware counters are read after timing
    bool as_baseline = false;   ///< the candidate must be right on its own cases only, as a baseline must
    std::optional<int> parent;  ///< the round that the variant was restored to; nothing: the one it stands at
};

/// A run with everything chosen: nothing in it can be wrong usage any more.
struct RunPlan {
    Project project;
    Implementation candidate;
    std::optional<Implementation> baseline;  ///< nothing where the project names none for the device
    std::vector<Case> cases;
    RunOptions options;
};

/// Chooses variants, cases and configuration. Errors: an unknown variant, case, tunable or value, a missing source;
/// every one with what there is to choose from.
Checked<RunPlan> plan_run(const Project& project, const RunOptions& options);

/// Verifies the candidate alone.
VerifyResult verify_candidate(const RunPlan& plan, WorkerClient& worker, const Progress& progress,
                              std::stop_token stop);

/// Called with each round once its candidate has been verified, before anything is timed.
using VerifiedSoFar = std::function<void(const RoundDetail&)>;

/// Verify-then-bench: candidates, baseline, and only those that are right, in one rotation with the baseline, are
/// timed. The plans, at least one, differ in their candidates only. The results are ready to be recorded, in the plans'
/// order; the status of each is that of the first stage that failed. Ceilings that the worker lacks are measured first.
/// Stopped, it leaves out the plans that it has not begun.
std::vector<RoundDetail> run_rounds(std::span<const RunPlan> plans, WorkerClient& worker, const Progress& progress,
                                    const VerifiedSoFar& so_far, std::stop_token stop);

/// The same with one candidate.
RoundDetail run_round(const RunPlan& plan, WorkerClient& worker, const Progress& progress, std::stop_token stop);

/// Whether a run was refused because its device is unknown or not there: nothing was tried, so there is nothing to
/// record.
bool was_refused(const RoundDetail& detail);

}  // namespace kernelgen
