// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print_summary.h"

namespace kernelgen::cli {

namespace {

constexpr const char* summary_examples =
    R"(Each project counts with its fastest round that is right, else with its last. fast_p is the share of all projects that
are right with a speedup above p, as KernelBench has it; `faster` counts those whose interval lies above 1.

Examples:
  kernelgen summary problems
  kernelgen summary problems --markdown > results.md
  kernelgen summary problems --json)";

struct SummaryOptions {
    std::string folder;
    bool markdown = false;
};

int summary_command(const SummaryOptions& options, const Context& context) {
    const Result<FolderSummary> summary = summarise_folder(options.folder);
    if (!summary) return report(context, summary.error());
    if (context.json) print_json(summary_document(*summary));
    else print_summary(*summary, options.markdown);
    return exit_done;
}

}  // namespace

void add_summary(CLI::App& app, Context& context) {
    auto options = std::make_shared<SummaryOptions>();
    CLI::App* command = app.add_subcommand("summary", "What became of all projects of a folder");
    command->add_option("FOLDER", options->folder, "The folder that holds the projects' folders")->required();
    command->add_flag("--markdown", options->markdown, "A table in Markdown");
    command->footer(summary_examples);
    command->callback([options, &context] { context.exit_status = summary_command(*options, context); });
}

}  // namespace kernelgen::cli
