// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/usage.h"
#include "core/base/keeper.h"
#include "core/base/version.h"

namespace kernelgen::cli {

namespace {

constexpr const char* footer = R"(The main job:
  kernelgen new mine --name mine --body "out = max(x, 0) + bias" --input x:P,D --input bias:D --output out:P,D
  kernelgen run mine                                verify, then time against the baseline; records a round
  kernelgen run mine --set BLOCK_M=32 --note "fewer, larger tiles"
  kernelgen rounds mine                             what was tried
  kernelgen export mine                             writes mine/optimization_log.md

Exit status: 0 done · 1 wrong usage or invalid project · 2 build failed, restricted or over a limit
  3 not verified · 4 unavailable, crashed, timed out or launch failed · 5 target not reached · 6 slower, 7 ambiguous (gate) · 130 cancelled)";

constexpr const char* worker_option = "--worker";

/// Takes each `--worker CMD…` out of the arguments: all that follows it, up to the next one or `--`. One word with
/// blanks is for a shell.
std::vector<std::vector<std::string>> take_workers(std::vector<std::string>& arguments) {
    std::vector<std::vector<std::string>> workers;
    auto option = std::ranges::find(arguments, worker_option);
    while (option != arguments.end() && *option == worker_option) {
        const auto end = std::find_if(option + 1, arguments.end(),
                                      [](const std::string& each) { return each == "--" || each == worker_option; });
        std::vector<std::string>& command = workers.emplace_back(option + 1, end);
        if (command.size() == 1 && command[0].contains(' ')) command = {"sh", "-c", command[0]};
        const bool is_ended = end != arguments.end() && *end == "--";
        option = arguments.erase(option, is_ended ? end + 1 : end);
        if (is_ended) option = std::find(option, arguments.end(), worker_option);
    }
    return workers;
}

/// Why the workers cannot be used.
std::optional<Error> wrong_workers(const std::vector<std::vector<std::string>>& workers,
                                   const std::vector<std::string>& arguments) {
    if (std::ranges::any_of(workers, &std::vector<std::string>::empty))
        return Error{"--worker needs the command that starts one, such as: --worker ssh box kernelgen worker"};
    const auto command =
        std::ranges::find_if(arguments, [](const std::string& each) { return !each.starts_with('-'); });
    if (workers.size() > 1 && command != arguments.end() && *command != "tune")
        return Error{"only `kernelgen tune` uses several workers: give --worker once"};
    return std::nullopt;
}

void add_commands(CLI::App& app, Context& context) {
    app.set_version_flag("--version", std::string("kernelgen ") + version);
    app.require_subcommand(1);
    app.footer(footer);
    app.fallthrough();
    app.add_flag("--json", context.json, "Print one JSON document to stdout, messages to stderr");
    app.add_option(
        "--worker",
        "CMD…: reach the worker through this command; must come last (or end with --); `tune` takes several");
    for (const auto add :
         {add_new,      add_import,     add_model,    add_info,     add_generate, add_check,    add_build,
          add_assembly, add_verify,     add_repro,    add_run,      add_tune,     add_optimize, add_patterns,
          add_rounds,   add_summary,    add_roofline, add_diagnose, add_whatif,   add_scale,    add_compare,
          add_gate,     add_keep,       add_note,     add_export,   add_devices,  add_metrics,  add_selftest,
          add_mcp,      add_completion, add_processes}) {
        add(app, context);
    }
}

/// Reads the arguments and does what the command says.
int perform(CLI::App& app, std::vector<std::string> arguments, Context& context) {
    if (const auto unknown = unknown_command(app, arguments)) return report(context, Diagnostics{*unknown});
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        return report(context, usage_errors(app, error));
    }
    return context.exit_status;
}

int run(std::vector<std::string> arguments) {
    Context context;
    context.program = std::filesystem::read_symlink("/proc/self/exe");
    context.workers = take_workers(arguments);
    context.json = std::ranges::contains(arguments, "--json");  // errors of usage are told in JSON, too
    if (const auto wrong = wrong_workers(context.workers, arguments)) return report(context, *wrong);
    CLI::App app{"KernelGen: an operator's definition in; a verified, tuned and documented kernel out", "kernelgen"};
    add_commands(app, context);
    try {
        return perform(app, std::move(arguments), context);
    } catch (const std::exception& error) {
        return report(context, Error{error.what()});
    }
}

}  // namespace

}  // namespace kernelgen::cli

int main(int count, char** values) {
    // The keeper is none of the commands: what follows it are another program's arguments.
    if (count > 1 && std::string_view(values[1]) == "keeper") {
        return kernelgen::keeper_main({values + 2, values + count});
    }
    return kernelgen::cli::run({values + 1, values + count});
}
