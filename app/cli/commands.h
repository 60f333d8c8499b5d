// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <expected>

#include "app/cli/context.h"

namespace kernelgen::cli {

/// Each function adds one command with its options, help and examples. The command's callback sets
/// `context.exit_status`.
void add_new(CLI::App& app, Context& context);
void add_info(CLI::App& app, Context& context);
void add_generate(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_import(CLI::App& app, Context& context);
void add_model(CLI::App& app, Context& context);
void add_build(CLI::App& app, Context& context);
void add_assembly(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_repro(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_tune(CLI::App& app, Context& context);
void add_optimize(CLI::App& app, Context& context);
void add_patterns(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_gate(CLI::App& app, Context& context);
void add_rounds(CLI::App& app, Context& context);
void add_summary(CLI::App& app, Context& context);
void add_roofline(CLI::App& app, Context& context);
void add_diagnose(CLI::App& app, Context& context);
void add_whatif(CLI::App& app, Context& context);
void add_scale(CLI::App& app, Context& context);
void add_keep(CLI::App& app, Context& context);
void add_note(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_devices(CLI::App& app, Context& context);
void add_metrics(CLI::App& app, Context& context);
void add_selftest(CLI::App& app, Context& context);
void add_mcp(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);  ///< and `manual`, of the same outline
void add_processes(CLI::App& app, Context& context);   ///< `worker` and `executor`

/// The options of commands on a variant.
struct CommonOptions {
    std::string project;
    RunOptions run;
    std::vector<std::string> settings;  ///< --set NAME=VALUE, as written
    std::string budget;                 ///< --budget, as written
};

/// Add options to a command: PROJECT; also --variant, --device, --case and --set; also --timeout. Commands that time
/// also get --baseline, --budget and --no-counters.
void add_project(CLI::App& command, std::string& path);
void add_choice(CLI::App& command, CommonOptions& options);
void add_common(CLI::App& command, CommonOptions& options);
void add_timing(CLI::App& command, CommonOptions& options, const std::string& baseline_help);

/// Why a worker has no device of this name; nothing where it has one, or where the name is "".
std::optional<Error> unknown_device(const std::vector<WorkerDevice>& devices, const std::string& name);

/// Loads the project that the options name, and moves their settings and budget to `options.run`.
Validated<Project> load_chosen(CommonOptions& options);

/// Loads the project and makes the plan that the options describe. Diagnostics are errors of the user.
Validated<RunPlan> make_plan(CommonOptions& options);

/// What `build`, `verify` and `run` begin with.
struct BegunRun {
    RunPlan plan;  ///< as it was asked for
    std::unique_ptr<WorkerClient> worker;
    std::vector<RunPlan> plans;  ///< of the variants to which dispatch sends the cases (core/engine/dispatch.h)
};

/// Plans the run and starts its worker. Errors are reported already; what is returned then is the exit status.
std::expected<BegunRun, int> begin_run(CommonOptions& options, Context& context);

}  // namespace kernelgen::cli
