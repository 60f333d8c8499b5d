// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/cli/commands.h"
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
  3 not verified · 4 unavailable, crashed, timed out or launch failed · 5 target not reached · 130 cancelled)";

/// Takes `--worker CMD…` out of the arguments: all that follows it, up to `--`. One word with blanks is for a shell.
std::vector<std::string> take_worker(std::vector<std::string>& arguments) {
    const auto option = std::ranges::find(arguments, "--worker");
    if (option == arguments.end()) return {};
    const auto end = std::find(option, arguments.end(), "--");
    std::vector<std::string> command(option + 1, end);
    arguments.erase(option, end == arguments.end() ? end : end + 1);
    if (command.size() == 1 && command[0].find(' ') != std::string::npos) command = {"sh", "-c", command[0]};
    return command;
}

int run(std::vector<std::string> arguments) {
    Context context;
    context.program = std::filesystem::read_symlink("/proc/self/exe");
    const bool asks_worker = std::ranges::find(arguments, "--worker") != arguments.end();
    context.worker = take_worker(arguments);
    if (asks_worker && context.worker.empty()) {
        return report(Error{"--worker needs the command that starts one, such as: --worker ssh box kernelgen worker"});
    }
    CLI::App app{"KernelGen: an operator's definition in; a verified, tuned and documented kernel out", "kernelgen"};
    app.set_version_flag("--version", std::string("kernelgen ") + version);
    app.require_subcommand(1);
    app.footer(footer);
    app.fallthrough();
    app.add_flag("--json", context.json, "Print one JSON document to stdout, messages to stderr");
    app.add_option("--worker", "CMD…: reach the worker through this command; must come last (or end with --)");
    for (const auto add :
         {add_new, add_import, add_info, add_generate, add_check, add_build, add_verify, add_run, add_rounds,
          add_roofline, add_compare, add_keep, add_note, add_export, add_devices, add_selftest, add_processes}) {
        add(app, context);
    }
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? exit_done : exit_usage;
    }
    return context.exit_status;
}

}  // namespace

}  // namespace kernelgen::cli

int main(int count, char** values) {
    try {
        // Not one of the commands: what follows it are another program's arguments.
        if (count > 1 && std::string_view(values[1]) == "keeper") {
            return kernelgen::keeper_main({values + 2, values + count});
        }
        return kernelgen::cli::run({values + 1, values + count});
    } catch (const std::exception& error) {
        std::cerr << "kernelgen: " << error.what() << "\n";
        return kernelgen::cli::exit_usage;
    }
}
