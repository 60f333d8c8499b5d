// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/files/consistency.h"
#include "core/files/in_step.h"
#include "core/files/sources.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

constexpr const char* check_examples = R"(Examples:
  kernelgen check projects/softmax              definition, kernel, baseline and test files against each other
  kernelgen check projects/softmax --fix        write stale generated files again, set tunables in place
  kernelgen check projects/softmax --fix --force
                                                and overwrite generated files that were edited, too

Exit status: 0 consistent · 1 invalid project · 3 not consistent)";

constexpr std::size_t longest_cell = 44;

struct CheckOptions {
    std::string project;
    bool fix = false, force = false;
};

std::string cell_text(const ChecklistCell& cell) {
    std::string text = cell.text;
    if (text.size() > longest_cell) text = text.substr(0, longest_cell - 3) + "...";
    switch (cell.state) {
        case ChecklistCell::State::agrees: return "✓ " + text;
        case ChecklistCell::State::differs: return "✗ " + text;
        case ChecklistCell::State::none: break;
    }
    return text.empty() ? "-" : text;
}

std::string stale_text(const StaleFile& stale) {
    if (stale.edited)
        return stale.file + ": edited since it was generated; --fix leaves it alone, --force overwrites it";
    const std::string what = stale.change == ChangeKind::tunables ? "holds other values of tunables than project.json"
                                                                  : "is not what the project generates now";
    return stale.file + ": " + what + " (" + std::string(to_string(stale.change)) + "); --fix brings it in step";
}

void print_checklist(const Consistency& checked) {
    if (checked.rows.empty()) {
        std::cout << "no `triton` variant with a wrapper: there are no Python files to hold against the definition\n";
    } else {
        Table table{{"", "definition"}, {}};
        for (std::size_t i = 1; i < file_role_count; ++i) {
            table.headings.push_back(checked.files[i].empty() ? std::string(to_string(static_cast<FileRole>(i)))
                                                              : checked.files[i]);
        }
        for (const ChecklistRow& row : checked.rows) {
            std::vector<std::string>& cells = table.rows.emplace_back(1, std::string(to_string(row.aspect)));
            for (const ChecklistCell& cell : row.cells) cells.push_back(cell_text(cell));
        }
        print_table(std::cout, table);
    }
    if (!checked.mismatches.empty()) std::cout << "\n" << to_string(checked.mismatches);
    if (!checked.stale.empty()) std::cout << "\n";
    for (const StaleFile& each : checked.stale) std::cout << stale_text(each) << "\n";
    if (checked.consistent()) std::cout << "consistent\n";
}

nlohmann::ordered_json checklist_document(const Consistency& checked, const std::vector<Step>& steps) {
    nlohmann::ordered_json document = {{"consistent", checked.consistent()}, {"variant", checked.variant}};
    document["files"] = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < file_role_count; ++i) {
        if (!checked.files[i].empty()) document["files"][to_string(static_cast<FileRole>(i))] = checked.files[i];
    }
    document["rows"] = nlohmann::ordered_json::array();
    for (const ChecklistRow& row : checked.rows) {
        nlohmann::ordered_json entry = {{"aspect", to_string(row.aspect)}};
        for (std::size_t i = 0; i < file_role_count; ++i) {
            const ChecklistCell& cell = row.cells[i];
            entry[to_string(static_cast<FileRole>(i))] = {{"state", to_string(cell.state)}, {"text", cell.text}};
        }
        document["rows"].push_back(std::move(entry));
    }
    document["mismatches"] = nlohmann::ordered_json::array();
    for (const Diagnostic& each : checked.mismatches) {
        document["mismatches"].push_back(
            {{"file", each.file}, {"where", each.where}, {"message", each.message}, {"suggestion", each.suggestion}});
    }
    document["change"] = to_string(checked.change);
    document["stale"] = nlohmann::ordered_json::array();
    for (const StaleFile& each : checked.stale) {
        document["stale"].push_back({{"file", each.file}, {"change", to_string(each.change)}, {"edited", each.edited}});
    }
    document["steps"] = nlohmann::ordered_json::array();
    for (const Step& each : steps) {
        document["steps"].push_back({{"file", each.file}, {"outcome", to_string(each.outcome)}});
    }
    return document;
}

int check_command(const CheckOptions& options, Context& context) {
    if (options.force && !options.fix) return report(context, Error{"--force says how --fix writes; give both"});
    Validated<Project> project = load_project(options.project);
    if (!project) return report(context, project.error());
    std::vector<Step> steps;
    if (options.fix) {
        Validated<std::vector<Step>> done = bring_in_step(*project, options.force);
        if (!done) return report(context, done.error());
        steps = std::move(*done);
    }
    const Result<Consistency> checked = check_consistency(*project, source_texts(*project));
    if (!checked) return report(context, checked.error(), exit_not_run);
    if (context.json) {
        print_json(checklist_document(*checked, steps));
    } else {
        for (const Step& each : steps) std::cout << each.file << ": " << to_string(each.outcome) << "\n";
        print_checklist(*checked);
    }
    return checked->consistent() ? exit_done : exit_not_verified;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command = app.add_subcommand(
        "check", "Hold an operator's files against its definition and each other; bring them in step");
    add_project(*command, options->project);
    command->add_flag("--fix", options->fix, "Write stale generated files again and set tunables in place");
    command->add_flag("--force", options->force, "With --fix: overwrite generated files that were edited, too");
    command->footer(check_examples);
    command->callback([options, &context] { context.exit_status = check_command(*options, context); });
}

}  // namespace kernelgen::cli
