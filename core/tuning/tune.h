// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/run.h"
#include "core/tune/objective.h"
#include "core/tune/recording.h"
#include "core/tune/searcher.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// A user's options for a tuning.
struct TuneOptions {
    RunOptions run;  ///< variant, device, cases; `budget_seconds` is that of a run, for the final
    Strategy strategy = Strategy::model;
    Objective objective;
    /// The budget of all cases together; nothing: five minutes, or for a resumed tuning the budget that it had.
    std::optional<double> budget_seconds = {};
    std::optional<int> evaluations;  ///< the most configurations of a case; nothing: no limit
    std::uint64_t seed = 0;
    std::vector<std::string> history;  ///< files to start from: recordings as `--simulate` reads them, or tunings
    ChosenValues chosen;
    bool keeps_winner = true;    ///< whether the winner of a project's only case becomes the project's configuration
    bool records_rounds = true;  ///< whether what each case's tuning recommends is run and recorded as a round
    std::optional<int> oldest_learnt =
        {};                  ///< only tunings from this number on are learnt from, and no rounds; nothing: all
    std::stop_token enough;  ///< when it is requested, nothing more is searched, and the final decides
    bool resume = false;     ///< goes on with the project's last tuning, with the options of that
    /// Names of the command's options that a person gave ("--seed"): to go on, they must be those of the tuning.
    std::vector<std::string> given = {};
};

/// A tuning with all choices made: usage errors were found before.
struct TunePlan {
    RunPlan run;  ///< its cases are tuned in turn
    TuneOptions options;
    double budget_seconds = 0;       ///< for all cases together, from when the device's ceilings are known
    std::optional<int> resumed;      ///< the number of the tuning that goes on
    std::vector<Recording> history;  ///< of the options' files
};

/// Chooses variant, cases and baseline as `plan_run`; to resume, those of the project's last tuning that has not ended.
/// Errors: those of `plan_run`; a variant without tunables; a project without baseline for the device; a budget that is
/// not above 0; a file of the history that cannot be read; nothing to resume, given options that are not those of the
/// tuning that goes on, or sources that have changed since.
Validated<TunePlan> plan_tuning(const Project& project, const TuneOptions& options);

/// Why a case of the plan cannot be tuned on the worker's device: fewer than two configurations are allowed, or too
/// many, or a recording of its history has none of them. Nothing where all can.
std::optional<Error> nothing_to_tune(const TunePlan& plan, WorkerClient& worker, std::stop_token stop);

/// The state of a tuning that runs.
struct TuneState {
    std::string stage = {};  ///< what is done at present: "search", or as of Progress
    std::string case_name = {};
    int tried = 0, failed = 0;
    std::uint64_t pruned = 0, left = 0;              ///< never tried; not tried yet
    double best_seconds = 0, incumbent_seconds = 0;  ///< of one call; 0: not known
    double elapsed_seconds = 0, budget_seconds = 0;  ///< of this case
    int workers = 1;                                 ///< that are alive
    const TuningHead* head = nullptr;                ///< of this case's tuning; null while its round is made
    std::span<const Tried> news = {};                ///< results since the call before; first those of earlier sessions
};
/// Called in a thread that tunes, one call at a time; what a state refers to lives as long as the call.
using TuneProgress = std::function<void(const TuneState&)>;

/// A case that was tuned.
struct CaseTuning {
    Tuning tuning;                     ///< without outcome where it was stopped
    std::optional<RoundDetail> round;  ///< that was recorded of it
    Said why_not_kept = {};            ///< why the winner did not become the project's configuration; "" where it did
};

/// A hash of the definition and of the variant of this name, without the values of its tunables: results of a tuning
/// say nothing of another setup. "" where there is no such variant.
std::string setup_hash(const Project& project, const std::string& variant);

class WorkerPool;

/// Tunes one case after the other within the plan's budget, and records each as `tunings/N.jsonl` and a round. The
/// winner of a project's only case becomes the project's configuration. All workers of the pool search. `progress` is
/// called in their threads, one at a time. Errors: nothing to tune, a file that cannot be written, no worker that is
/// left; what was recorded before stays, and can be resumed.
Result<std::vector<CaseTuning>> tune(const TunePlan& plan, WorkerPool& pool, const TuneProgress& progress,
                                     std::stop_token stop);
/// The same on one worker.
Result<std::vector<CaseTuning>> tune(const TunePlan& plan, WorkerClient& worker, const TuneProgress& progress,
                                     std::stop_token stop);

}  // namespace kernelgen
