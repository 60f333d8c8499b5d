// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/apply.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_explanation.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

constexpr const char* run_examples = R"(Examples:
  kernelgen run projects/bias_add
  kernelgen run projects/bias_add --set BLOCK_M=16 --set BLOCK_N=256 --note "smaller tiles fit the L1 cache"
  kernelgen run projects/softmax --case P=1000,D=333,dtype=bf16 --require-target
  kernelgen run projects/softmax --baseline round:3   is it faster than round 3? both are built and timed in pairs
  kernelgen run projects/softmax --baseline git:main~5
  kernelgen run projects/softmax --apply more_stages --dry-run   what a strategy would change, and gain
  kernelgen run projects/softmax --budget 1s          a quick look: fewer samples, wider intervals
  kernelgen run projects/gelu --worker ssh box kernelgen worker)";

struct RunCommandOptions {
    CommonOptions common;
    bool require_target = false;
    ApplyOptions apply;
};

/// The rounds that the project has, with the one that was just recorded; nothing where they cannot be read.
std::optional<std::size_t> rounds_of(const Project& project) {
    const Result<History> history = load_history(project.folder);
    return history ? std::optional(history->rounds.size()) : std::nullopt;
}

/// A round that was run, and whether it could be recorded.
struct Recorded {
    RoundDetail detail;
    Result<void> written;
};

Recorded run_and_record(const RunPlan& plan, WorkerClient& worker, const Context& context) {
    Recorded done{run_round(plan, worker, terminal_progress(), context.interrupted.get_token()), {}};
    clear_progress();
    if (!was_refused(done.detail)) done.written = record_round(plan.project.folder, done.detail);
    return done;
}

/// The likely causes of wrong results, and how to see more of them.
void print_why(const RunPlan& plan, const Recorded& done) {
    print_causes_in_short(std::cout, *done.detail.explanation);
    const std::string project = in_shell(plan.project.folder.string());
    std::cout << "  evidence and a map: kernelgen verify " << project << " --explain";
    if (done.written) std::cout << ", or kernelgen rounds " << project << " " << done.detail.round.number;
    std::cout << "\n  the call alone: kernelgen repro " << project << "\n";
}

/// What was done, and how many of the planned rounds are spent.
void tell_all(const RunPlan& plan, const std::vector<Recorded>& all, const Context& context) {
    const std::optional<std::size_t> spent = rounds_of(plan.project);
    std::vector<nlohmann::ordered_json> documents;
    for (const Recorded& each : all) {
        if (!context.json) {
            print_round(std::cout, each.detail, each.written.has_value());
            if (each.detail.explanation) print_why(plan, each);
            continue;
        }
        nlohmann::ordered_json& document =
            documents.emplace_back(round_document(each.detail, each.written.has_value()));
        if (spent) document["rounds_spent"] = *spent;
        document["max_rounds"] = plan.project.performance.max_rounds;
    }
    if (context.json) print_variants_json(documents);
    else if (spent) std::cout << spent_text(*spent, plan.project) << "\n";
}

Error refusal_of(const RoundDetail& detail) { return {"not run, and no round recorded: " + detail.round.reason}; }

int status_of(const Recorded& done, bool requires_target) {
    if (!done.written) {
        complain(Error{say("the round was not recorded: {}", done.written.error().message)});
        return exit_usage;
    }
    const int status = exit_status_of(done.detail.round.status);
    if (status == exit_done && requires_target && !done.detail.round.target_reached) return exit_target_missed;
    return status;
}

int apply_command(RunCommandOptions& options, Context& context) {
    if (options.apply.strategy.empty())
        return report(context, Diagnostics{{"", "--dry-run", "shows what a strategy would change: name one",
                                            "such as --apply larger_tile; `kernelgen optimize PROJECT --dry-run` "
                                            "lists those that apply"}});
    const Validated<Project> project = load_chosen(options.common);
    if (!project) return report(context, project.error());
    options.apply.require_target = options.require_target;
    return apply_strategy(*project, options.common.run, options.apply, context);
}

int run_command(RunCommandOptions& options, Context& context) {
    options.common.run.explain = true;
    if (!options.apply.strategy.empty() || options.apply.dry_run) return apply_command(options, context);
    const InterruptGuard guard(context.interrupted);
    const auto begun = begin_run(options.common, context);
    if (!begun) return begun.error();
    std::vector<Recorded> all;
    for (const RunPlan& each : begun->plans) {
        all.push_back(run_and_record(each, *begun->worker, context));
        if (was_refused(all.back().detail)) return report(context, refusal_of(all.back().detail), exit_not_run);
        if (context.interrupted.stop_requested()) break;
    }
    tell_all(begun->plan, all, context);
    int status = exit_done;
    for (const Recorded& each : all) {
        const int own = status_of(each, options.require_target);
        if (status == exit_done) status = own;
    }
    return status;
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunCommandOptions>();
    CLI::App* command = app.add_subcommand("run", "Verify, then time against the baseline, and record a round");
    add_common(*command, options->common);
    add_timing(
        *command, options->common,
        "What to time against, for this run: a variant, round:N as it was recorded, or git:REV as it was committed");
    command->add_option("--from", options->common.run.from,
                        "Run the variant as it was: round:N, or git:REV such as git:HEAD~1; the folder's files stay");
    command->add_option("--note", options->common.run.note, "Why this round is made; the log prints it");
    command->add_option("--dump", options->common.run.dump_folder, "Write a failing case's tensors there as .npy");
    command->add_flag("--require-target", options->require_target, "Exit with 5 where the target is not reached");
    command->add_option("--apply", options->apply.strategy,
                        "Change the variant's last round by this strategy, such as larger_tile, and run that");
    command->add_flag("--dry-run", options->apply.dry_run, "With --apply: show the difference, and run nothing");
    command->footer(run_examples);
    command->callback([options, &context] { context.exit_status = run_command(*options, context); });
}

}  // namespace kernelgen::cli
