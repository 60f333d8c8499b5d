// SPDX-License-Identifier: Apache-2.0
#include "app/cli/apply.h"

#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "app/cli/print_strategy.h"
#include "core/optimize/make_round.h"
#include "core/optimize/optimize.h"

namespace kernelgen::cli {

namespace {

constexpr double search_seconds = 60;  ///< of a search that is applied as one round

int show(const Proposal& proposal, const RoundDetail& before, const Context& context) {
    if (context.json) {
        nlohmann::ordered_json document = to_json(proposal, before.candidate);
        document["after"] = before.round.number;
        print_json(document);
        return exit_done;
    }
    std::cout << std::format("to round {} of `{}`: {}\n", before.round.number, before.round.variant,
                             proposal_line(proposal));
    std::cout << difference_of(proposal.change, before.candidate);
    return exit_done;
}

int tell_outcome(const RoundDetail& detail, const Project& project, const ApplyOptions& options,
                 const Context& context) {
    if (context.json) {
        print_json(round_document(detail, true));
    } else {
        print_round(std::cout, detail, true);
        std::cout << std::format("kernelgen keep {} {} makes it the project's\n", in_shell(project.folder.string()),
                                 detail.round.number);
    }
    const int status = exit_status_of(detail.round.status);
    return status == exit_done && options.require_target && !detail.round.target_reached ? int{exit_target_missed}
                                                                                         : status;
}

int run_it(OptimizePlan plan, const RoundDetail& before, const Proposal& proposal, const ApplyOptions& options,
           Context& context) {
    const InterruptGuard guard(context.interrupted);
    const std::stop_token stop = context.interrupted.get_token();
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    const Progress progress = terminal_progress();
    WorkerEngine engine(**worker, progress, std::nullopt, stop);
    RunPlan run = engine.with_numbers(plan.run);
    Result<MadeRound> made = make_round(run, before, proposal, engine, search_seconds);
    clear_progress();
    if (stop.stop_requested()) return report(context, Error{"cancelled; no round recorded"}, exit_cancelled);
    if (!made) return report(context, made.error(), exit_not_run);
    if (was_refused(made->detail))
        return report(context, Error{say("not run, and no round recorded: {}", made->detail.round.reason)},
                      exit_not_run);
    if (const auto recorded = record_applied(run.project, made->detail, before.round, plan.learns); !recorded)
        return report(context, recorded.error());
    return tell_outcome(made->detail, run.project, options, context);
}

}  // namespace

int apply_strategy(const Project& project, const RunOptions& run, const ApplyOptions& options, Context& context) {
    OptimizeOptions wanted;
    wanted.run = run;
    const Validated<OptimizePlan> plan = plan_optimization(project, wanted);
    if (!plan) return report(context, plan.error());
    const Result<RoundDetail> before = round_of_candidate(plan->run);
    if (!before) return report(context, before.error());
    const Result<Proposal> proposal = find_proposal(proposals_for(*plan, *before), options.strategy);
    if (!proposal) return report(context, proposal.error());
    if (options.dry_run) return show(*proposal, *before, context);
    return run_it(*plan, *before, *proposal, options, context);
}

}  // namespace kernelgen::cli
