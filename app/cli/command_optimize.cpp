// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_strategy.h"
#include "core/base/duration.h"
#include "core/engine/usage.h"
#include "core/optimize/optimize.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

using nlohmann::ordered_json;

constexpr const char* optimize_examples = R"(Examples:
  kernelgen optimize projects/softmax --variant naive                  at most five rounds from the plain loop, 5 minutes
  kernelgen optimize projects/softmax --device cuda:0 --rounds 3 --target 1.2 --budget 90s
  kernelgen optimize mine --case "4096x4096 f32" --keep                the best round becomes the project's
  kernelgen optimize mine --dry-run                                    what could be applied to the last round; runs nothing

Each round is recorded with its reason, what was expected of it and what came of it. `kernelgen keep PROJECT ROUND`
makes a round's sources and configuration the project's.)";

struct OptimizeCommandOptions {
    CommonOptions common;
    OptimizeOptions optimize;
    std::string budget = "5m";
    double target = 0;
    bool has_target = false, keep = false, dry_run = false;
};

Validated<OptimizePlan> make_optimize_plan(OptimizeCommandOptions& options) {
    const auto seconds = parse_duration(options.budget);
    if (!seconds)
        return std::unexpected(Diagnostics{usage("--budget", "`" + options.budget + "` is no time",
                                                 "seconds, or a number with s, m or h, such as --budget 5m")});
    const Validated<Project> project = load_chosen(options.common);
    if (!project) return std::unexpected(project.error());
    options.optimize.run = options.common.run;
    options.optimize.budget_seconds = *seconds;
    if (options.has_target) options.optimize.target = options.target;
    return plan_optimization(*project, options.optimize);
}

ordered_json document_of(const Optimization& done, const OptimizePlan& plan) {
    ordered_json document = {{"start", round_document(done.start, true)},
                             {"rounds", ordered_json::array()},
                             {"best", done.best ? ordered_json(*done.best) : ordered_json(nullptr)},
                             {"target_speedup", plan.run.project.performance.target_speedup},
                             {"reason", done.reason.id},
                             {"warnings", done.warnings},
                             {"left", ordered_json::array()},
                             {"advice", ordered_json::array()}};
    for (const RoundDetail& each : done.rounds) document["rounds"].push_back(round_document(each, true));
    for (const Proposal& each : done.left.all) document["left"].push_back(to_json(each, done.best_round().candidate));
    for (const Advice& each : done.left.advice) document["advice"].push_back(to_json(each));
    return document;
}

void print_so_far(const RoundDetail& recorded, const Proposal* next) {
    clear_progress();
    print_round(std::cout, recorded, true);
    if (next != nullptr) std::cout << "next: " << proposal_line(*next) << "\n";
    std::cout.flush();
}

void print_end(const Optimization& done, const Project& project, bool keep) {
    if (done.reason.id == stop_reasons::start_failed.id) print_round(std::cout, done.start, true);
    for (const Said& each : done.warnings) std::cout << "not applied: " << each << "\n";
    std::cout << std::format("ended after {} rounds: {}{}\n", done.rounds.size(), done.reason.text,
                             done.best ? std::format("; best is round {}", *done.best) : "");
    if (!keep && !done.rounds.empty() && done.best)
        std::cout << std::format("next: kernelgen keep {} {}\n", in_shell(project.folder.string()), *done.best);
}

int status_of(const Optimization& done) {
    if (done.reason.id == stop_reasons::cancelled.id) return exit_cancelled;
    if (done.reason.id == stop_reasons::device_lost.id) return exit_not_run;
    return exit_status_of(done.best_round().round.status);
}

int list_proposals(const OptimizePlan& plan, const Context& context) {
    const Result<RoundDetail> round = round_of_candidate(plan.run);
    if (!round) return report(context, round.error());
    const Proposals proposals = proposals_for(plan, *round);
    if (context.json) {
        ordered_json document = {
            {"round", round->round.number}, {"proposals", ordered_json::array()}, {"advice", ordered_json::array()}};
        for (const Proposal& each : proposals.all) document["proposals"].push_back(to_json(each, round->candidate));
        for (const Advice& each : proposals.advice) document["advice"].push_back(to_json(each));
        print_json(document);
        return exit_done;
    }
    std::cout << std::format("to round {} of `{}` can be applied:\n", round->round.number, round->round.variant);
    print_proposals(std::cout, proposals, run_command(plan.run.project.folder.string(), round->round), 12);
    return exit_done;
}

/// The variants with their sources, by name.
std::map<std::string, Implementation> implementations_of(const Project& project) {
    std::map<std::string, Implementation> all;
    for (const Variant& each : project.variants) {
        if (Result<Implementation> read = read_implementation(project, each)) all.emplace(each.name, std::move(*read));
    }
    return all;
}

/// Makes the best round the project's. Errors: its variant was edited since `before`, which would be lost.
Result<void> keep_best(const Optimization& done, const OptimizePlan& plan,
                       const std::map<std::string, Implementation>& before) {
    Validated<Project> present = load_project(plan.run.project.folder);
    if (!present) return fail(to_string(present.error()));
    const std::string& name = done.best_round().round.variant;
    const std::map<std::string, Implementation> now = implementations_of(*present);
    const auto was = before.find(name), is = now.find(name);
    const bool is_edited = was != before.end() && (is == now.end() || was->second.variant != is->second.variant ||
                                                   hash_of_sources(was->second) != hash_of_sources(is->second));
    if (is_edited)
        return fail(say("not kept: `{}` was edited meanwhile; `kernelgen keep {} {}` writes over that", name,
                        plan.run.project.folder.string(), *done.best));
    return keep_round(*present, *done.best);
}

int optimize_command(OptimizeCommandOptions& options, Context& context) {
    const Validated<OptimizePlan> plan = make_optimize_plan(options);
    if (!plan) return report(context, plan.error());
    if (options.dry_run) return list_proposals(*plan, context);
    const Validated<Project> project = load_project(plan->run.project.folder);
    if (!project) return report(context, project.error());
    const std::map<std::string, Implementation> before = implementations_of(*project);
    const InterruptGuard guard(context.interrupted);
    const std::stop_token stop = context.interrupted.get_token();
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    const Progress progress = terminal_progress();
    WorkerEngine engine(**worker, progress, oldest_learnt(*plan), stop);
    const OptimizedSoFar so_far = [&](const RoundDetail& recorded, const Proposal* next) {
        if (!context.json) print_so_far(recorded, next);
    };
    const Result<Optimization> done = optimize(*plan, engine, so_far, stop);
    clear_progress();
    if (!done) return report(context, done.error());
    if (was_refused(done->start))
        return report(context, Error{say("not run: {}", done->start.round.reason)}, exit_not_run);
    if (context.json) print_json(document_of(*done, *plan));
    else print_end(*done, plan->run.project, options.keep);
    const bool is_right = done->best && done->best_round().round.status == Status::ok;
    if (!options.keep || !is_right) return status_of(*done);
    if (const Result<void> kept = keep_best(*done, *plan, before); !kept) return report(context, kept.error());
    if (!context.json) std::cout << "round " << *done->best << " is the project's now\n";
    return status_of(*done);
}

}  // namespace

void add_optimize(CLI::App& app, Context& context) {
    auto options = std::make_shared<OptimizeCommandOptions>();
    CLI::App* command =
        app.add_subcommand("optimize", "Make rounds by itself: diagnose, apply a strategy, verify, time");
    add_common(*command, options->common);
    command->add_option("--baseline", options->common.run.baseline, "The variant that rounds are timed against");
    command->add_option("--rounds", options->optimize.rounds, "The most rounds, beside the one that measures the start")
        ->capture_default_str();
    CLI::Option* target = command->add_option("--target", options->target, "Speedup to reach; default: the project's");
    command->add_option("--budget", options->budget, "Time for all, such as 90s, 5m or 1h")->capture_default_str();
    command->add_flag("--keep", options->keep, "Make the best round the project's at the end");
    command->add_flag("--dry-run", options->dry_run, "List what could be applied to the last round, and run nothing");
    command->footer(optimize_examples);
    command->callback([options, target, &context] {
        options->has_target = target->count() > 0;
        context.exit_status = optimize_command(*options, context);
    });
}

}  // namespace kernelgen::cli
