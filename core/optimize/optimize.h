// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/diagnose/rule.h"
#include "core/optimize/engine.h"
#include "core/round/stop_reason.h"
#include "core/strategy/propose.h"

namespace kernelgen {

/// A user's options for an optimization.
struct OptimizeOptions {
    RunOptions run;                ///< variant to begin with, device, cases
    int rounds = 5;                ///< the most, without the one that measures the beginning
    std::optional<double> target;  ///< speedup over the baseline in every case; nothing: the project's
    double budget_seconds = 300;   ///< for all
};

/// An optimization with all choices made.
struct OptimizePlan {
    RunPlan run;
    OptimizeOptions options;
    std::vector<Rule> rules;        ///< of the diagnosis
    std::vector<Pattern> patterns;  ///< that order the strategies
    bool learns = true;             ///< whether its rounds become patterns of the user
};

/// Errors: those of `plan_run`; a project without baseline for the device; options out of range; rules that cannot be
/// read.
Validated<OptimizePlan> plan_optimization(const Project& project, const OptimizeOptions& options);

/// The number of the first tuning that this optimization may learn from; empty: it may learn from all. A variant
/// without tunables learns only from its own rounds and from patterns.
std::optional<int> oldest_learnt(const OptimizePlan& plan);

/// What came of an optimization.
struct Optimization {
    RoundDetail start;                ///< the round that measured the beginning
    std::vector<RoundDetail> rounds;  ///< one for each strategy that was applied
    std::optional<int> best = {};     ///< number of the fastest of these; nothing where none was recorded
    StopReason reason = stop_reasons::nothing_promises;
    Proposals left;              ///< what could be applied next to the best round
    std::vector<Said> warnings;  ///< strategies that could not be applied, and why

    const RoundDetail& best_round() const;
};

/// Called after each recorded round, with what will be applied next; null where it ends.
using OptimizedSoFar = std::function<void(const RoundDetail& recorded, const Proposal* next)>;

/// Diagnoses, chooses, applies, verifies, times and records, until the target is reached, the rounds or the time are
/// spent, or nothing promises a gain. Each round is recorded before the next begins. Errors: a round that cannot be
/// recorded.
Result<Optimization> optimize(const OptimizePlan& plan, OptimizeEngine& engine, const OptimizedSoFar& so_far,
                              std::stop_token stop);

/// Whether an optimization goes on from a round in place of the best before it: its gain is surely above 1. One with
/// another kernel need only be as fast, for it has tunables.
bool is_improvement(const Round& round, const Round& best);

/// The proposals that could be applied to a recorded round, by the diagnosis, patterns and what the project recorded.
Proposals proposals_for(const OptimizePlan& plan, const RoundDetail& round);

/// The recorded round of the plan's candidate as it is: of its sources, configuration and device, right and timed; the
/// newest that ran one of the plan's cases, else the newest. Errors: there is none.
Result<RoundDetail> round_of_candidate(const RunPlan& plan);

/// The proposal that a user names: by its strategy, of which the most promising counts, or by its whole key. Errors: no
/// such proposal, with those that there are.
Result<Proposal> find_proposal(const Proposals& proposals, const std::string& name);

/// Records a round that was made with a strategy, and learns from it. Errors: as `record_round`; what cannot be learnt
/// is a warning of the round.
Result<void> record_applied(const Project& project, RoundDetail& detail, const Round& before, bool learns);

}  // namespace kernelgen
