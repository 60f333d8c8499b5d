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

/// A user's options for one run. An empty field takes the project's value.
struct RunOptions {
    std::string variant;
    std::string baseline;  ///< a variant, or "round:N" or "git:REV" (core/engine/origin.h)
    std::string from;      ///< "round:N" or "git:REV": the candidate as it was there; "": as it is in the folder
    std::string device = "cpu";
    std::vector<std::string> cases;        ///< names, or ad-hoc "P=1000,D=333,dtype=bf16"
    Configuration changes;                 ///< --set
    double timeout_seconds = 30;           ///< limit of one call of a kernel
    std::optional<double> budget_seconds;  ///< time for the samples of one case; nothing: the project's
    std::string note;
    std::string dump_folder;
    bool counters = true;       ///< whether hardware counters are read after timing
    bool explain = false;       ///< whether to look for why a candidate's results are wrong
    bool as_baseline = false;   ///< the candidate must be right only on the project's cases, as a baseline
    std::optional<int> parent;  ///< the round to which the variant was restored; nothing: the current one
};

/// A run with all choices made: usage errors were found before.
struct RunPlan {
    Project project;
    Implementation candidate;
    std::optional<Implementation> baseline;  ///< nothing where the project has none for the device
    std::vector<Case> cases;
    RunOptions options;
    std::optional<VerifyResult> verified = {};  ///< what this worker has found of the candidate; it is not asked again
    std::optional<Ceilings> ceilings = {};      ///< measured beforehand; they count where the device has none stored
    Said note = {};                             ///< why the round is made; empty: what the options' note says
    std::vector<std::string> remarks = {};      ///< on the choice of the variant, which its verification tells
};

/// Chooses variant, cases and configuration. A baseline from elsewhere is called by its origin ("round-3"). Errors,
/// each with the possible choices: an unknown variant, case, tunable or value; a missing source; an origin that has
/// none.
Validated<RunPlan> plan_run(const Project& project, const RunOptions& options);

/// Verifies the candidate alone.
VerifyResult verify_candidate(const RunPlan& plan, WorkerClient& worker, const Progress& progress,
                              std::stop_token stop);

/// Called with each round after its candidate was verified, before anything is timed.
using VerifiedSoFar = std::function<void(const RoundDetail&)>;

/// Verifies the candidates and the baseline, then times the right candidates in one rotation with the baseline. The
/// plans, at least one, may differ only in their candidates. The results can be recorded; they are in the plans' order.
/// The status of a result is that of the first stage that failed. Ceilings that the worker does not have are measured
/// first. When stopped, plans that were not begun have no result.
std::vector<RoundDetail> run_rounds(std::span<const RunPlan> plans, WorkerClient& worker, const Progress& progress,
                                    const VerifiedSoFar& so_far, std::stop_token stop);

/// As above, with one candidate.
RoundDetail run_round(const RunPlan& plan, WorkerClient& worker, const Progress& progress, std::stop_token stop);

/// Whether a run was refused because its device is unknown or not present. Such a run is not recorded.
bool was_refused(const RoundDetail& detail);

}  // namespace kernelgen
