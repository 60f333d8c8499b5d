// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

constexpr const char* run_examples = R"(Examples:
  kernelgen run projects/bias_add
  kernelgen run projects/bias_add --set BLOCK_M=16 --set BLOCK_N=256 --note "smaller tiles fit the L1 cache"
  kernelgen run projects/softmax --case P=1000,D=333,dtype=bf16 --require-target
  kernelgen run projects/softmax --budget 1s          a quick look: fewer samples, wider intervals
  kernelgen run projects/gelu --worker ssh box kernelgen worker)";

struct RunCommandOptions {
    CommonOptions common;
    bool require_target = false;
};

/// The rounds that the project has, with the one that was just recorded; nothing where they cannot be read.
std::optional<std::size_t> rounds_of(const Project& project) {
    const Result<History> history = load_history(project.folder);
    return history ? std::optional(history->rounds.size()) : std::nullopt;
}

/// What was done, and how many of the planned rounds are spent.
void say(const RunPlan& plan, const RoundDetail& detail, bool recorded, const Context& context) {
    const std::optional<std::size_t> spent = rounds_of(plan.project);
    if (context.json) {
        nlohmann::ordered_json document = round_document(detail, recorded);
        if (spent) document["rounds_spent"] = *spent;
        document["max_rounds"] = plan.project.performance.max_rounds;
        print_json(document);
    } else {
        print_round(std::cout, detail, recorded);
        if (spent) std::cout << spent_text(*spent, plan.project) << "\n";
    }
}

Error refusal_of(const RoundDetail& detail) { return {"not run, and no round recorded: " + detail.round.reason}; }

int run_command(RunCommandOptions& options, Context& context) {
    const Checked<RunPlan> plan = make_plan(options.common);
    if (!plan) return report(context, plan.error());
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    RoundDetail detail = run_round(*plan, **worker, terminal_progress(), context.interrupted.get_token());
    clear_progress();
    if (was_refused(detail)) return report(context, refusal_of(detail), exit_not_run);
    const Result<void> recorded = record_round(plan->project.folder, detail);
    say(*plan, detail, recorded.has_value(), context);
    if (!recorded) {
        complain(Error{"the round was not recorded: " + recorded.error().message});
        return exit_usage;
    }
    const int status = exit_status_of(detail.round.status);
    if (status == exit_done && options.require_target && !detail.round.target_reached) return exit_target_missed;
    return status;
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunCommandOptions>();
    CLI::App* command = app.add_subcommand("run", "Verify, then time against the baseline, and record a round");
    add_common(*command, options->common);
    add_timing(*command, options->common, "The variant to time against, for this run");
    command->add_option("--note", options->common.run.note, "Why this round is made; the log prints it");
    command->add_option("--dump", options->common.run.dump_folder, "Write a failing case's tensors there as .npy");
    command->add_flag("--require-target", options->require_target, "Exit with 5 where the target is not reached");
    command->footer(run_examples);
    command->callback([options, &context] { context.exit_status = run_command(*options, context); });
}

}  // namespace kernelgen::cli
