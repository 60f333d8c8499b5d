// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_strategy.h"
#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/project/project_file.h"
#include "core/strategy/pattern_file.h"

namespace kernelgen::cli {

namespace {

using nlohmann::ordered_json;

constexpr const char* patterns_examples = R"(Examples:
  kernelgen patterns                       what strategies gained before, by finding, operator class, shape and device
  kernelgen patterns export mine.jsonl     your own patterns, to give them to others
  kernelgen patterns export shipped.jsonl --from projects/softmax --from projects/relu
  kernelgen patterns import theirs.jsonl   adds or replaces; they lose weight where your own rounds contradict them
  kernelgen patterns remove 3f0a91c2       one of your own, or an imported one
  kernelgen patterns disable 3f0a91c2      it counts no more, also a shipped one; enable brings it back
  kernelgen patterns note 3f0a91c2 "only with cold caches")";

struct PatternsOptions {
    std::string action = "list", argument, text;
    std::vector<std::string> projects;
};

std::vector<std::string> row_of(const Pattern& pattern) {
    const auto interval = pattern.interval();
    return {pattern.id(),
            pattern.is_own       ? "own"
            : pattern.is_shipped ? "shipped"
                                 : "imported",
            pattern.key.strategy,
            pattern.key.finding,
            pattern.key.operator_class,
            pattern.key.dtype,
            pattern.key.shape_class,
            pattern.key.device,
            std::to_string(pattern.count),
            std::format("{:.3f}×", std::exp(pattern.mean)),
            interval ? std::format("{:.3f}–{:.3f}", interval->lower, interval->upper) : "",
            std::to_string(pattern.counterexamples),
            pattern.is_disabled ? "disabled" : "",
            pattern.note};
}

int list_patterns(const Context& context) {
    const Patterns patterns = load_patterns();
    for (const std::string& warning : patterns.warnings) std::cerr << "kernelgen: " << warning << "\n";
    if (context.json) {
        ordered_json document = {{"patterns", ordered_json::array()}};
        for (const Pattern& each : patterns.all) {
            ordered_json& entry = document["patterns"].emplace_back(to_json(each));
            entry["id"] = each.id();
            entry["own"] = each.is_own;
            entry["shipped"] = each.is_shipped;
            if (const auto interval = each.interval()) entry["interval"] = ordered_json(to_json(*interval));
        }
        print_json(document);
        return exit_done;
    }
    Table table{{"id", "of", "strategy", "finding", "operator", "dtype", "shape", "device", "rounds", "gain",
                 "next in (90 %)", "counterexamples", "", "note"},
                {}};
    for (const Pattern& each : patterns.all) table.rows.push_back(row_of(each));
    if (table.rows.empty()) std::cout << "no patterns yet: `kernelgen optimize` and `run --apply` make them\n";
    else print_table(std::cout, table);
    return exit_done;
}

/// The user's own, or those of the projects' recorded rounds.
Result<std::vector<Pattern>> exported(const std::vector<std::string>& projects) {
    std::vector<Pattern> patterns;
    if (projects.empty()) {
        patterns = load_patterns().all;
        std::erase_if(patterns, [](const Pattern& each) { return !each.is_own; });
    }
    for (const std::string& path : projects) {
        const Validated<Project> project = load_project(path);
        if (!project) return fail(to_string(project.error()));
        Result<std::vector<Pattern>> learnt = learnt_from_project(project->folder, std::move(patterns));
        if (!learnt) return learnt;
        patterns = std::move(*learnt);
    }
    return patterns;
}

int export_patterns(const PatternsOptions& options, const Context& context) {
    const std::string& file = options.argument;
    const Result<std::vector<Pattern>> patterns = exported(options.projects);
    if (!patterns) return report(context, patterns.error());
    if (const auto written = write_file_atomic(file, pattern_lines(*patterns)); !written)
        return report(context, written.error());
    if (context.json) print_json({{"exported", patterns->size()}, {"file", file}});
    else std::cout << std::format("exported {} patterns to {}\n", patterns->size(), file);
    return exit_done;
}

int import_them(const std::string& file, const Context& context) {
    const Result<int> imported = import_patterns(file);
    if (!imported) return report(context, imported.error());
    if (context.json) print_json({{"imported", *imported}});
    else std::cout << std::format("imported {} patterns\n", *imported);
    return exit_done;
}

int remove_it(const std::string& id, const Context& context) {
    const Result<Pattern> removed = remove_pattern(id);
    if (!removed) return report(context, removed.error());
    if (context.json) print_json({{"removed", to_json(*removed)}});
    else
        std::cout << std::format("removed {}: {} for {}\n", removed->id(), removed->key.strategy, removed->key.finding);
    return exit_done;
}

int edit_it(const PatternsOptions& options, const Context& context) {
    Result<Pattern> pattern = find_pattern(options.argument);
    if (!pattern) return report(context, pattern.error());
    if (options.action == "note") pattern->note = options.text;
    else pattern->is_disabled = options.action == "disable";
    if (const auto edited = edit_pattern(*pattern); !edited) return report(context, edited.error());
    if (context.json) print_json({{"edited", to_json(*pattern)}});
    else
        std::cout << std::format("{}: {}{}\n", pattern->id(), pattern->is_disabled ? "disabled" : "counts",
                                 pattern->note.empty() ? "" : "; " + one_line(pattern->note));
    return exit_done;
}

/// What was given and means nothing to the action.
std::string meaningless(const PatternsOptions& options) {
    if (!options.text.empty() && options.action != "note") return options.text;
    if (!options.argument.empty() && options.action == "list") return options.argument;
    return !options.projects.empty() && options.action != "export" ? "--from" : "";
}

int patterns_command(const PatternsOptions& options, const Context& context) {
    if (const std::string word = meaningless(options); !word.empty())
        return report(context, Diagnostics{{"", "kernelgen patterns " + options.action,
                                            in_backquotes(word) + " means nothing here", "leave it out"}});
    if (options.action == "list") return list_patterns(context);
    if (options.argument.empty()) {
        const bool is_file = options.action == "export" || options.action == "import";
        const char* what = is_file ? "FILE" : "ID";
        return report(context,
                      Diagnostics{{"", "kernelgen patterns " + options.action, std::string(what) + " is missing",
                                   "such as: kernelgen patterns " + options.action +
                                       (is_file ? " patterns.jsonl" : " 3f0a91c2")}});
    }
    if (options.action == "export") return export_patterns(options, context);
    if (options.action == "import") return import_them(options.argument, context);
    if (options.action == "remove") return remove_it(options.argument, context);
    return edit_it(options, context);
}

}  // namespace

void add_patterns(CLI::App& app, Context& context) {
    auto options = std::make_shared<PatternsOptions>();
    CLI::App* command = app.add_subcommand("patterns", "What strategies gained before: list, edit, export, import");
    command->add_option("ACTION", options->action, "list, export, import, remove, disable, enable or note")
        ->check(CLI::IsMember({"list", "export", "import", "remove", "disable", "enable", "note"}))
        ->capture_default_str();
    command->add_option("ARGUMENT", options->argument, "The file of an export or import; the id of a pattern");
    command->add_option("TEXT", options->text, "The note; without it the note is removed");
    command->add_option("--from", options->projects,
                        "Export what the recorded rounds of these projects teach, in place of your own; repeatable");
    command->footer(patterns_examples);
    command->callback([options, &context] { context.exit_status = patterns_command(*options, context); });
}

}  // namespace kernelgen::cli
