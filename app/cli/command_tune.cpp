// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <format>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_rules.h"
#include "app/cli/print_tuning.h"
#include "app/cli/tune_pruned.h"
#include "app/cli/tune_simulate.h"
#include "app/cli/tune_workers.h"
#include "core/base/duration.h"
#include "core/base/text.h"
#include "core/engine/usage.h"
#include "core/measure/device_lock.h"
#include "core/project/tunable_macros.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/rule_adoption.h"
#include "core/tuning/tune.h"

namespace kernelgen::cli {

namespace {

using nlohmann::ordered_json;

constexpr const char* tune_examples = R"(Examples:
  kernelgen tune projects/softmax --budget 2m                  all cases, one after the other
  kernelgen tune projects/relu --case "4096x4096 f32" --strategy random --evaluations 100 --seed 7
  kernelgen tune projects/softmax --device cuda:0 --objective "0.7 time 0.3 memory"
  kernelgen tune projects/relu --tunable BLOCK_M=8,16 --tunable STREAM=1     only these values take part
  kernelgen tune projects/relu --list-pruned                   what would never be tried, and why; nothing is built
  kernelgen tune projects/softmax --resume                     goes on where the last tuning was stopped
  kernelgen tune projects/softmax --device cuda:0 --history old_gpu.T4.json --history ../mine/tunings/3.jsonl
  kernelgen tune projects/softmax --device cuda:0 --worker ssh a kernelgen worker --worker ssh b kernelgen worker
  KERNELGEN_SRUN="--gpus=1 --time=30" kernelgen tune projects/softmax --device cuda:0 --workers slurm:4
  kernelgen tune --simulate recorded.T4.json.gz --space kernel.T1.json
  kernelgen tune --simulate new_gpu.T4.json --history old_gpu.T4.json --strategy local --json

The winner becomes a round, and where one case was tuned, the project's configuration. For several cases the fewest
rules are proposed by which each is within 1 % of its own best; `kernelgen keep PROJECT --tuning N` adopts them. Every
configuration that was tried is a line of PROJECT/tunings/N.jsonl.)";

struct TuneCommandOptions {
    CommonOptions common;
    TuneOptions tune;
    SimulateOptions simulation;
    std::optional<std::string> budget;
    std::string strategy = "model", objective = "time";
    std::string workers;
    std::vector<std::string> chosen;
    int evaluations = 0;
    bool is_limited = false;
    bool lists_pruned = false;
};

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const Strategy each : all_strategies) names.emplace_back(to_string(each));
    return names;
}

/// "BLOCK_M=16,32"
Diagnostics read_chosen(const std::vector<std::string>& texts, ChosenValues& chosen) {
    Diagnostics diagnostics;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        std::vector<std::int64_t> values;
        bool is_read = equals != std::string::npos && equals > 0;
        for (const std::string& each : split(is_read ? text.substr(equals + 1) : "", ',')) {
            long long value = 0;
            is_read = is_read && parse_integer(trim(each), value);
            values.push_back(value);
        }
        std::ranges::sort(values);
        const auto twice = std::ranges::adjacent_find(values);
        if (is_read && twice != values.end())
            diagnostics.push_back(usage("--tunable", std::format("`{}` names the value {} twice", text, *twice), ""));
        else if (!is_read)
            diagnostics.push_back(
                usage("--tunable", "`" + text + "` is not NAME=VALUE,VALUE,…", "such as --tunable BLOCK_M=16,32"));
        else if (!chosen.emplace(name, std::move(values)).second)
            diagnostics.push_back(usage("--tunable", "the values of `" + name + "` are chosen twice", ""));
    }
    return diagnostics;
}

/// Reads what is written as text.
Diagnostics read_choices(TuneCommandOptions& options) {
    Diagnostics diagnostics = read_chosen(options.chosen, options.tune.chosen);
    if (const auto strategy = parse_strategy(options.strategy)) options.tune.strategy = *strategy;
    else
        diagnostics.push_back(usage("--strategy", "unknown strategy `" + options.strategy + "`",
                                    choice(options.strategy, strategy_names())));
    if (const Result<Objective> objective = parse_objective(options.objective)) options.tune.objective = *objective;
    else diagnostics.push_back(usage("--objective", objective.error().message, ""));
    if (options.budget) options.tune.budget_seconds = parse_duration(*options.budget);
    if (options.budget && !options.tune.budget_seconds)
        diagnostics.push_back(usage("--budget", "`" + *options.budget + "` is no time",
                                    "seconds, or a number with s, m or h, such as --budget 5m"));
    return diagnostics;
}

Validated<TunePlan> make_tune_plan(TuneCommandOptions& options) {
    if (options.common.project.empty()) {
        return std::unexpected(Diagnostics{
            {"", "kernelgen tune", "PROJECT is missing", "give PROJECT: A project's folder, or its project.json"}});
    }
    const Validated<Project> project = load_chosen(options.common);
    if (!project) return std::unexpected(project.error());
    options.tune.run = options.common.run;
    if (options.is_limited) options.tune.evaluations = options.evaluations;
    options.tune.history = options.simulation.history;
    return plan_tuning(*project, options.tune);
}

/// A line that changes. Without a terminal only that it waits for another kernelgen, once: it may be for long.
TuneProgress progress_line() {
    if (::isatty(STDERR_FILENO) == 0) {
        return [is_told = false](const TuneState& state) mutable {
            if (is_told || !state.stage.starts_with(waiting_for_lock)) return;
            std::fprintf(stderr, "%s\n", line_of(state).c_str());
            is_told = true;
        };
    }
    return [](const TuneState& state) { std::fprintf(stderr, "\r\033[K%.140s", line_of(state).c_str()); };
}

/// Proposes rules where there are several cases and all of them were decided.
std::optional<Result<RuleProposal>> proposal_for(const std::vector<CaseTuning>& done, const Project& project) {
    if (done.size() < 2 || done.size() < done.front().tuning.head.cases.size()) return std::nullopt;
    std::vector<Tuning> tunings;
    for (const CaseTuning& each : done) {
        if (!each.tuning.outcome || each.tuning.outcome->kind == TuningOutcome::Kind::failed) return std::nullopt;
        tunings.push_back(each.tuning);
    }
    return proposed_rules(project, tunings);
}

void print_proposal(const Result<RuleProposal>& proposal, const Project& project) {
    if (!proposal) {
        std::cout << proposal.error().message << "\n";
        return;
    }
    print_rules(std::cout, *proposal);
    if (is_in_force(project, *proposal)) {
        std::cout << "nothing to keep: this is what the project has\n";
        return;
    }
    std::cout << std::format("next: kernelgen keep {} --tuning {}\n", in_shell(project.folder.string()),
                             proposal->tunings.front());
}

ordered_json document_of(const Result<RuleProposal>& proposal) {
    return proposal ? rules_document(*proposal) : ordered_json{{"reason", proposal.error().message}};
}

/// The status of the first case that was not decided, as the incumbent's tells it.
int exit_status_of_all(const std::vector<CaseTuning>& done) {
    for (const CaseTuning& each : done) {
        if (!each.tuning.outcome) return exit_cancelled;
        if (each.round && each.round->round.status != Status::ok) return exit_status_of(each.round->round.status);
        if (each.tuning.outcome->kind != TuningOutcome::Kind::failed) continue;
        const auto incumbent = std::ranges::find(each.tuning.tried, each.tuning.head.incumbent, &Tried::configuration);
        const bool has_status = incumbent != each.tuning.tried.end() && !incumbent->is_ok();
        return has_status ? exit_status_of(incumbent->status) : int{exit_not_verified};
    }
    return exit_done;
}

/// Reports the options that only a tuning of a project reads, or only a simulation, or a list of what is pruned.
Diagnostics without_meaning(const TuneCommandOptions& options, const Context& context) {
    const bool simulates = !options.simulation.recording.empty();
    const std::set<std::string> read = {"--simulate", "--space", "--history", "--strategy", "--evaluations", "--seed"};
    Diagnostics diagnostics;
    if (!simulates && options.lists_pruned) return needless_for_pruned(options.tune.given);
    for (const std::string& each : options.tune.given) {
        if (simulates && !read.contains(each))
            diagnostics.push_back(
                usage(each, "means nothing with --simulate, which builds and runs nothing", "leave it out"));
        if (!simulates && each == "--space")
            diagnostics.push_back(usage(each, "means nothing without --simulate", "leave it out"));
    }
    if (simulates && !context.workers.empty())
        diagnostics.push_back(
            usage("--worker", "means nothing with --simulate, which builds and runs nothing", "leave it out"));
    return diagnostics;
}

int simulate(TuneCommandOptions& options, const Context& context) {
    if (options.is_limited && options.evaluations < 1)
        return report(context, Diagnostics{usage("--evaluations", "at least one configuration must be tried", "")});
    if (options.is_limited) options.simulation.evaluations = static_cast<std::size_t>(options.evaluations);
    options.simulation.strategy = options.tune.strategy;
    options.simulation.seed = options.tune.seed;
    return simulate_command(options.simulation, context);
}

void print_all(const std::vector<CaseTuning>& done, const Context& context, const Project& project,
               const std::vector<Said>& warnings) {
    const auto proposal = proposal_for(done, project);
    if (context.json) {
        ordered_json document = {{"tunings", ordered_json::array()}};
        for (const CaseTuning& each : done) document["tunings"].push_back(tuning_document(each));
        if (proposal) document["proposal"] = document_of(*proposal);
        if (!warnings.empty()) document["warnings"] = warnings;
        return print_json(document);
    }
    for (const CaseTuning& each : done) print_tuning(std::cout, each, project);
    if (proposal) print_proposal(*proposal, project);
}

/// What of the files of the history could not be read, and by which lines a tunable may have no effect.
std::vector<Said> warnings_of(const TunePlan& plan) {
    std::vector<Said> warnings;
    for (const Recording& each : plan.history)
        warnings.insert(warnings.end(), each.warnings.begin(), each.warnings.end());
    for (const Diagnostic& each : overridden_tunables(plan.run.candidate).perhaps) warnings.push_back(to_string(each));
    return warnings;
}

/// Says which tunings after the one that goes on cannot be read.
void complain_of_newer(const TunePlan& plan) {
    const std::filesystem::path& folder = plan.run.project.folder;
    for (const int number : plan.resumed ? tuning_numbers(folder) : std::vector<int>()) {
        if (number <= *plan.resumed) continue;
        if (const Result<Tuning> newer = load_tuning(folder, number); !newer) complain(newer.error());
    }
}

int tune_command(TuneCommandOptions& options, Context& context) {
    Diagnostics diagnostics = read_choices(options);
    std::ranges::move(without_meaning(options, context), std::back_inserter(diagnostics));
    if (!diagnostics.empty()) return report(context, diagnostics);
    if (!options.simulation.recording.empty()) return simulate(options, context);
    const Validated<TunePlan> plan = make_tune_plan(options);
    if (!plan) return report(context, plan.error());
    complain_of_newer(*plan);
    const std::vector<Said> warnings = warnings_of(*plan);
    for (const Said& each : warnings) complain(Error{each});
    Validated<std::vector<WorkerSource>> sources = worker_sources(context, options.workers);
    if (!sources) return report(context, sources.error());
    const InterruptGuard guard(context.interrupted);
    const std::stop_token stop = context.interrupted.get_token();
    WorkerPool pool(std::move(*sources), plan->run.options.device);
    const TuningWorker* first = pool.wait_for_any(stop);
    if (first == nullptr)
        return report(context, Error{stop.stop_requested() ? "cancelled" : pool.why_lost()}, exit_not_run);
    if (options.lists_pruned) return list_pruned_command(*plan, *first, context, stop);
    if (const auto nothing = nothing_to_tune(*plan, *first->client, stop)) return report(context, *nothing);
    const Result<std::vector<CaseTuning>> done = tune(*plan, pool, progress_line(), stop);
    clear_progress();
    if (!done) return report(context, done.error(), exit_not_run);
    if (const std::string lost = pool.why_lost(); !lost.empty()) complain(Error{lost});
    print_all(*done, context, plan->run.project, warnings);
    return stop.stop_requested() ? int{exit_cancelled} : exit_status_of_all(*done);
}

}  // namespace

void add_tune(CLI::App& app, Context& context) {
    auto options = std::make_shared<TuneCommandOptions>();
    CLI::App* command = app.add_subcommand("tune", "Find the best configuration of a variant's tunables");
    add_common(*command, options->common);
    command->get_option("PROJECT")->required(false);  // nor is there one of --simulate
    add_simulation(*command, options->simulation);
    command->add_option("--baseline", options->common.run.baseline, "The variant that the winner is timed against");
    command
        ->add_option("--budget", options->budget,
                     "Time for all cases, such as 90s, 5m or 1h; with --resume as long as the tuning had")
        ->default_str("5m");
    CLI::Option* evaluations = command->add_option("--evaluations", options->evaluations,
                                                   "The most configurations that are tried, of each case");
    command->add_option("--strategy", options->strategy, "model, exhaustive, random, coarse_to_fine or local")
        ->capture_default_str();
    command
        ->add_option("--objective", options->objective, "time, memory, energy, or a weighting: \"0.7 time 0.3 memory\"")
        ->capture_default_str();
    command
        ->add_option("--tunable", options->chosen,
                     "NAME=VALUE,VALUE,…: only these values of a tunable take part; repeatable")
        ->allow_extra_args(false);
    command->add_option("--seed", options->tune.seed, "The same seed asks the same questions")->capture_default_str();
    command->add_option("--workers", options->workers,
                        "slurm:N: N workers, each started with srun and the options in KERNELGEN_SRUN");
    command->add_flag(
        "--resume", options->tune.resume,
        "Go on with the last tuning, with its own options; only --budget, --history and the workers may differ");
    command->add_flag("--list-pruned", options->lists_pruned,
                      "List the configurations that are never tried, each with its reason, and tune nothing");
    command->footer(tune_examples);
    command->callback([options, evaluations, command, &context] {
        for (const CLI::Option* each : command->get_options([](const CLI::Option* one) { return one->count() > 0; }))
            options->tune.given.push_back(each->get_name());
        options->is_limited = evaluations->count() > 0;
        context.exit_status = tune_command(*options, context);
    });
}

}  // namespace kernelgen::cli
