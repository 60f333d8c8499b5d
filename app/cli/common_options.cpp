// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>

#include "app/cli/commands.h"
#include "core/base/duration.h"
#include "core/base/text.h"
#include "core/engine/device_numbers.h"
#include "core/engine/dispatch.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

void add_project(CLI::App& command, std::string& path) {
    command.add_option("PROJECT", path, "A project's folder, or its project.json")->required();
}

void add_choice(CLI::App& command, CommonOptions& options) {
    add_project(command, options.project);
    command.add_option("--variant", options.run.variant, "The candidate; default: the first that is not the baseline");
    command.add_option("--device", options.run.device, "Where it runs: cpu, cuda:0, …")->capture_default_str();
    command
        .add_option("--case", options.run.cases,
                    "A case's name, or \"P=1000,D=333,dtype=bf16\"; repeatable; default: all")
        ->allow_extra_args(false);
    command.add_option("--set", options.settings, "NAME=VALUE of a tunable, for this run; repeatable")
        ->allow_extra_args(false);
}

void add_common(CLI::App& command, CommonOptions& options) {
    add_choice(command, options);
    command
        .add_option(
            "--timeout", options.run.timeout_seconds,
            "Seconds that one call of a kernel may take; the compilers of an extension may take 20 times as long")
        ->capture_default_str()
        ->check(CLI::Range(0.01, 86400.0))
        ->check([](const std::string& text) {
            return std::isnan(std::strtod(text.c_str(), nullptr)) ? "nan is no limit" : "";
        });
}

void add_timing(CLI::App& command, CommonOptions& options, const std::string& baseline_help) {
    command.add_option("--baseline", options.run.baseline, baseline_help);
    command.add_option("--budget", options.budget,
                       "Time for the samples of a case, for this run, such as 1s, 5m or 1h; default: the project's");
    command.add_flag("!--no-counters", options.run.counters,
                     "Do not read hardware counters; a GPU's take some 10 seconds a case");
}

namespace {

Validated<Configuration> parse_settings(const std::vector<std::string>& settings) {
    Configuration changes;
    Diagnostics diagnostics;
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        long long value = 0;
        if (equals == std::string::npos || equals == 0 || !parse_integer(setting.substr(equals + 1), value)) {
            diagnostics.push_back({"", "--set", "`" + setting + "` is not NAME=INTEGER", "such as BLOCK_M=16"});
        } else if (!changes.emplace(setting.substr(0, equals), value).second) {
            diagnostics.push_back({"", "--set", "`" + setting.substr(0, equals) + "` is set twice", ""});
        }
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return changes;
}

Validated<std::optional<double>> parse_budget(const std::string& text) {
    if (text.empty()) return std::nullopt;
    if (const auto seconds = parse_duration(text)) return seconds;
    return std::unexpected(Diagnostics{
        {"", "--budget", "`" + text + "` is no time", "seconds, or a number with s, m or h, such as --budget 10s"}});
}

/// The value, or nothing with its errors in `diagnostics`.
template <class T>
std::optional<T> take(Validated<T> checked, Diagnostics& diagnostics) {
    if (checked) return std::move(*checked);
    diagnostics.insert(diagnostics.end(), checked.error().begin(), checked.error().end());
    return std::nullopt;
}

}  // namespace

Validated<Project> load_chosen(CommonOptions& options) {
    Diagnostics diagnostics;
    std::optional<Project> project = take(load_project(options.project), diagnostics);
    const auto changes = take(parse_settings(options.settings), diagnostics);
    const auto budget = take(parse_budget(options.budget), diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    options.run.changes = *changes;
    options.run.budget_seconds = *budget;
    return std::move(*project);
}

Validated<RunPlan> make_plan(CommonOptions& options) {
    const Validated<Project> project = load_chosen(options);
    if (!project) return std::unexpected(project.error());
    return plan_run(*project, options.run);
}

std::expected<BegunRun, int> begin_run(CommonOptions& options, Context& context) {
    Validated<RunPlan> plan = make_plan(options);
    if (!plan) return std::unexpected(report(context, plan.error()));
    Result<std::unique_ptr<WorkerClient>> worker = context.start_worker();
    if (!worker) return std::unexpected(report(context, worker.error(), exit_not_run));
    // Dispatch may ask for numbers of the device.
    Validated<std::vector<RunPlan>> plans =
        dispatched(with_device_numbers(*plan, **worker, context.interrupted.get_token()));
    if (!plans) return std::unexpected(report(context, plans.error()));
    return BegunRun{std::move(*plan), std::move(*worker), std::move(*plans)};
}

}  // namespace kernelgen::cli
