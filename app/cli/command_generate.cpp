// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/files/sources.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

int generate_command(const std::string& path, bool force, Context& context) {
    Validated<Project> project = load_project(path);
    if (!project) return report(context, project.error());
    const Validated<std::vector<GeneratedSource>> sources = regenerate_sources(*project, force);
    if (!sources) return report(context, sources.error());
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const GeneratedSource& source : *sources) {
        list.push_back({{"variant", source.variant}, {"source", source.file}, {"outcome", to_string(source.outcome)}});
        if (!context.json) {
            std::cout << source.file << ": " << to_string(source.outcome)
                      << (source.outcome == GenerateOutcome::kept ? " (it was edited; --force overwrites it)" : "")
                      << "\n";
        }
    }
    if (context.json) print_json({{"sources", list}});
    return exit_done;
}

}  // namespace

void add_generate(CLI::App& app, Context& context) {
    auto path = std::make_shared<std::string>();
    auto force = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("generate", "Write generated sources again from the definition");
    add_project(*command, *path);
    command->add_flag("--force", *force, "Overwrite sources that were edited, too");
    command->footer(
        "Examples:\n  kernelgen generate projects/softmax             what was edited stays as it is\n"
        "  kernelgen generate projects/softmax --force");
    command->callback([=, &context] { context.exit_status = generate_command(*path, *force, context); });
}

}  // namespace kernelgen::cli
