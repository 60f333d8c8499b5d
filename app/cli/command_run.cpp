// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

constexpr const char* examples = R"(Examples:
  kernelgen run projects/bias_add
  kernelgen run projects/bias_add --set BLOCK_M=16 --set BLOCK_N=256 --note "smaller tiles fit the L1 cache"
  kernelgen run projects/softmax --case P=1000,D=333,dtype=bf16 --require-target
  kernelgen run projects/gelu --worker ssh box kernelgen worker)";

struct Options {
    CommonOptions common;
    bool require_target = false;
};

int run_command(Options& options, Context& context) {
    const Checked<RunPlan> plan = make_plan(options.common);
    if (!plan) return report(plan.error());
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(worker.error(), exit_not_run);
    RoundDetail detail = run_round(*plan, **worker, terminal_progress(), context.interrupted.get_token());
    clear_progress();
    const Result<void> recorded = record_round(plan->project.folder, detail);
    if (context.json) print_json(round_document(detail));
    else print_round(std::cout, detail);
    if (!recorded) {
        return report(Error{"the round was not recorded: " + recorded.error().message}, exit_usage);
    }
    const int status = exit_status_of(detail.round.status);
    if (status == exit_done && options.require_target && !detail.round.target_reached) return exit_target_missed;
    return status;
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("run", "Verify, then time against the baseline, and record a round");
    add_common(*command, options->common);
    add_timing(*command, options->common, "The variant to time against, for this run");
    command->add_option("--note", options->common.run.note, "Why this round is made; the log prints it");
    command->add_option("--dump", options->common.run.dump_folder, "Write a failing case's tensors there as .npy");
    command->add_flag("--require-target", options->require_target, "Exit with 5 where the target is not reached");
    command->footer(examples);
    command->callback([options, &context] { context.exit_status = run_command(*options, context); });
}

}  // namespace kernelgen::cli
