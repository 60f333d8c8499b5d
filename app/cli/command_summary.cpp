// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/report/markdown.h"
#include "core/round/best.h"
#include "core/round/summary.h"

namespace kernelgen::cli {

namespace {

constexpr const char* summary_examples =
    R"(Each project counts with its fastest round that is right, else with its last. fast_p is the share of all projects that
are right with a speedup above p, as KernelBench has it; `faster` counts those whose interval lies above 1.

Examples:
  kernelgen summary problems
  kernelgen summary problems --markdown > results.md
  kernelgen summary problems --json)";

constexpr double thresholds[] = {1.0, 1.5, 2.0};

struct SummaryOptions {
    std::string folder;
    bool markdown = false;
};

std::string status_text(const ProjectSummary& project) {
    if (!project.problem.empty()) return "unreadable";
    return project.round ? std::string(to_string(project.round->status)) : "not tried";
}

std::string why(const ProjectSummary& project) {
    if (!project.problem.empty()) return project.problem;
    return project.round ? project.round->reason : "";
}

std::string speedup_text(const ProjectSummary& project) {
    const RoundCase* const deciding = project.is_right() ? deciding_case(*project.round) : nullptr;
    if (deciding == nullptr) return "";
    return std::format("{:.3f}× [{:.3f}, {:.3f}]", deciding->speedup, deciding->speedup_lower, deciding->speedup_upper);
}

std::string counts_text(const FolderSummary& summary) {
    std::string text = std::format("{} projects, {} tried, {} right, {} faster", summary.projects.size(),
                                   summary.tried(), summary.right(), summary.faster());
    for (const double each : thresholds) text += std::format(", fast_{:.1f} {:.2f}", each, summary.fast(each));
    return text;
}

nlohmann::ordered_json document_of(const FolderSummary& summary) {
    nlohmann::ordered_json projects = nlohmann::ordered_json::array();
    for (const ProjectSummary& each : summary.projects) {
        nlohmann::ordered_json& told = projects.emplace_back();
        told = {{"folder", each.folder}, {"name", each.name}, {"status", status_text(each)}, {"reason", why(each)}};
        if (each.round) told["round"] = to_json(*each.round);
        if (each.is_right()) told["speedup"] = each.speedup();
    }
    nlohmann::ordered_json fast = nlohmann::ordered_json::object();
    for (const double each : thresholds) fast[std::format("{:.1f}", each)] = summary.fast(each);
    return {{"projects", projects},
            {"tried", summary.tried()},
            {"right", summary.right()},
            {"faster", summary.faster()},
            {"fast", fast}};
}

std::vector<std::string> row_of(const ProjectSummary& each) {
    return {each.folder, status_text(each), speedup_text(each), each.round ? each.round->variant : "", why(each)};
}

void print_summary(const FolderSummary& summary, bool markdown) {
    const std::vector<std::string> headings = {"project", "status", "speedup", "variant", "reason"};
    MarkdownTable table{headings, {}};
    Table plain{headings, {}};
    for (const ProjectSummary& each : summary.projects) {
        table.rows.push_back(row_of(each));
        plain.rows.push_back(row_of(each));
        std::string& reason = plain.rows.back().back();
        reason = reason.substr(0, reason.find('\n'));
    }
    if (markdown) std::cout << to_markdown(table);
    else print_table(std::cout, plain);
    std::cout << counts_text(summary) << "\n";
}

int summary_command(const SummaryOptions& options, const Context& context) {
    const Result<FolderSummary> summary = summarise_folder(options.folder);
    if (!summary) return report(context, summary.error());
    if (context.json) print_json(document_of(*summary));
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
