// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_summary.h"

#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/report/markdown.h"
#include "core/round/best.h"

namespace kernelgen::cli {

namespace {

constexpr double thresholds[] = {1.0, 1.5, 2.0};

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

std::vector<std::string> row_of(const ProjectSummary& each) {
    return {each.folder, status_text(each), speedup_text(each), each.round ? each.round->variant : "", why(each)};
}

}  // namespace

nlohmann::ordered_json summary_document(const FolderSummary& summary) {
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

}  // namespace kernelgen::cli
