// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_diagnosis.h"
#include "app/cli/print_strategy.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

constexpr const char* diagnose_examples = R"(Examples:
  kernelgen diagnose projects/softmax                    the newest round: why it is slow, and what mending that can gain
  kernelgen diagnose projects/softmax 1 --lang zh        round 1, in Chinese
  kernelgen diagnose projects/softmax --case "4096x4096 f32" --json)";

struct DiagnoseOptions {
    std::string project, language = "en";
    std::optional<int> round;
    std::vector<std::string> cases;
};

ApplyText apply_command(const std::string& project, const Round& round) {
    return [command = run_command(project, round)](const std::string& strategy) {
        return command + " --apply " + strategy;
    };
}

int diagnose_command(const DiagnoseOptions& options, const Context& context) {
    const Validated<Project> project = load_project(options.project);
    if (!project) return report(context, project.error());
    const Validated<DiagnosedRound> round = diagnosed_round(*project, options.round, options.cases);
    if (!round) return report(context, round.error());
    const Phrases say(options.language == "zh" ? Tongue::chinese : Tongue::english);
    if (context.json) print_json(diagnosis_document(*round, say));
    else print_diagnosis(std::cout, *round, apply_command(options.project, round->detail.round), say);
    return exit_done;
}

}  // namespace

void add_diagnose(CLI::App& app, Context& context) {
    auto options = std::make_shared<DiagnoseOptions>();
    CLI::App* command = app.add_subcommand("diagnose", "Why a round's kernel is slow, and what mending that can gain");
    add_project(*command, options->project);
    command->add_option("ROUND", options->round, "The round's number; the newest where it is left out");
    command->add_option("--case", options->cases, "Only the case of this name (repeatable)");
    command->add_option("--lang", options->language, "en or zh")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
    command->footer(diagnose_examples);
    command->callback([options, &context] { context.exit_status = diagnose_command(*options, context); });
}

}  // namespace kernelgen::cli
