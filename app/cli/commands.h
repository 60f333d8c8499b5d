// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/context.h"

namespace kernelgen::cli {

/// Each adds one command with its options, help and examples; its callback sets `context.exit_status`.
void add_new(CLI::App& app, Context& context);
void add_info(CLI::App& app, Context& context);
void add_generate(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_import(CLI::App& app, Context& context);
void add_build(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_rounds(CLI::App& app, Context& context);
void add_roofline(CLI::App& app, Context& context);
void add_keep(CLI::App& app, Context& context);
void add_note(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_devices(CLI::App& app, Context& context);
void add_selftest(CLI::App& app, Context& context);
void add_processes(CLI::App& app, Context& context);  ///< `worker` and `executor`

/// The options that commands on a variant share.
struct CommonOptions {
    std::string project;
    RunOptions run;
    std::vector<std::string> settings;  ///< --set NAME=VALUE, as written
    std::string budget;                 ///< --budget, as written
};

/// Add PROJECT; with --variant, --device, --case and --set; with --timeout too. What times adds --baseline, --budget
/// and --no-counters.
void add_project(CLI::App& command, std::string& path);
void add_choice(CLI::App& command, CommonOptions& options);
void add_common(CLI::App& command, CommonOptions& options);
void add_timing(CLI::App& command, CommonOptions& options, const std::string& baseline_help);

/// Why a worker's devices do not hold the one of this name, or nothing; "" asks for none.
std::optional<Error> unknown_device(const std::vector<WorkerDevice>& devices, const std::string& name);

/// The project that the options name; their settings and budget become those of `options.run`.
Checked<Project> load_chosen(CommonOptions& options);

/// The project and the plan that the options ask for; diagnostics are the user's errors.
Checked<RunPlan> make_plan(CommonOptions& options);

}  // namespace kernelgen::cli
