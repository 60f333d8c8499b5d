// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print_info.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

int info_command(const std::string& path, Context& context) {
    const Validated<Project> project = load_project(path);
    if (!project) return report(context, project.error());
    const nlohmann::ordered_json document = info_document(*project);
    if (context.json) print_json(document);
    else print_info(std::cout, *project, document);
    return exit_done;
}

}  // namespace

void add_info(CLI::App& app, Context& context) {
    auto path = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("info", "Definition, analysis and restrictions for each case");
    add_project(*command, *path);
    command->footer(
        "Examples:\n  kernelgen info projects/softmax\n"
        "  kernelgen info projects/softmax --json       with the grids of every variant on every case");
    command->callback([path, &context] { context.exit_status = info_command(*path, context); });
}

}  // namespace kernelgen::cli
