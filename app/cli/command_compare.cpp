// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/engine/compare.h"
#include "core/project/dispatch.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

constexpr const char* compare_examples = R"(Examples:
  kernelgen compare projects/softmax --device cuda:0
  kernelgen compare projects/gelu --device cuda:0 --baseline torch_compile --case "16384x8192 bf16"
  kernelgen compare projects/bias_add --variant host --variant torch --json

Every variant that runs on the device is verified, and timed in pairs with one baseline, in one run. The baseline stands
against itself: what its interval allows is no difference. The result is kept in the project (comparisons/).)";

struct CompareOptions {
    CommonOptions common;
    std::vector<std::string> variants;
};

std::string speedup_text(const RoundCase& each) {
    const bool holds_1 = each.speedup_lower <= 1 && 1 <= each.speedup_upper;
    return std::format("{:.3f}× [{:.3f}, {:.3f}]{}", each.speedup, each.speedup_lower, each.speedup_upper,
                       holds_1 ? " no difference" : "");
}

std::vector<std::string> row_of(const Comparison& comparison, const ComparedVariant& variant, std::size_t place) {
    const std::string name = variant.variant + (variant.variant == comparison.baseline ? " (baseline)" : "");
    const bool timed = place < variant.cases.size() && variant.cases[place].seconds > 0;
    if (!timed) {
        const Status status =
            place < variant.cases.size() ? worst(variant.cases[place].status, variant.status) : variant.status;
        return {name, std::string(to_string(status)), "", "", "", "", configuration_text(variant.configuration)};
    }
    const RoundCase& each = variant.cases[place];
    return {name,
            value_text(metrics::seconds, each.seconds),
            value_text(metrics::baseline_seconds, each.baseline_seconds),
            speedup_text(each),
            each.roofline.bandwidth_gbps > 0 ? value_text(metrics::bandwidth_gbps, each.roofline.bandwidth_gbps) : "",
            each.roofline.has_ceilings ? value_text(metrics::fraction, each.roofline.fraction) : "",
            configuration_text(variant.configuration)};
}

/// Each note with the variants that have it, such as one on the baseline that all have; in order of appearance.
std::vector<std::pair<Said, std::vector<std::string>>> notes_of(const Comparison& comparison) {
    std::vector<std::pair<Said, std::vector<std::string>>> notes;
    for (const ComparedVariant& variant : comparison.variants) {
        for (const Said& warning : variant.warnings) {
            auto note = std::ranges::find(notes, warning, [](const auto& each) { return each.first; });
            if (note == notes.end()) note = notes.insert(note, {warning, {}});
            note->second.push_back(variant.variant);
        }
    }
    return notes;
}

/// What the project's dispatch rules say of a case.
struct DispatchedCase {
    std::string name;
    DispatchRule rule;
};

std::vector<DispatchedCase> dispatched_cases(const Project& project, const Comparison& comparison,
                                             const Sizes& device) {
    std::vector<DispatchedCase> cases;
    const std::vector<DispatchRule> rules = dispatch_on(project, comparison.device);
    for (const Case& each : comparison.cases) {
        if (const DispatchRule* rule = rule_for(rules, each, device)) cases.push_back({each.name, *rule});
    }
    return cases;
}

nlohmann::ordered_json document_of(const Comparison& comparison, const std::vector<DispatchedCase>& dispatched) {
    nlohmann::ordered_json document = to_json(comparison);
    for (const auto& [name, rule] : dispatched)
        document["dispatch"].push_back({{"case", name}, {"when", rule.when}, {"variant", rule.variant}});
    return document;
}

void print_comparison(std::ostream& out, const Comparison& comparison, const std::vector<DispatchedCase>& dispatched) {
    out << std::format("{} ({}), all against {}, up to {} s a case\n", comparison.device,
                       comparison.environment.hardware, comparison.baseline, comparison.budget_seconds);
    for (std::size_t place = 0; place < comparison.cases.size(); ++place) {
        out << '\n' << comparison.cases[place].name << '\n';
        Table table{{"variant", name_of(metrics::seconds), name_of(metrics::baseline_seconds),
                     name_of(metrics::speedup) + " [95 %]", name_of(metrics::bandwidth_gbps),
                     name_of(metrics::fraction), "configuration"},
                    {}};
        for (const ComparedVariant& variant : comparison.variants) {
            table.rows.push_back(row_of(comparison, variant, place));
        }
        print_table(out, table);
    }
    for (const auto& [name, rule] : dispatched)
        out << say(sentences::dispatched, rule.when, name, rule.variant) << "\n";
    for (const auto& [note, variants] : notes_of(comparison)) {
        out << std::format("{}: note: {}\n", join(variants, ", "), note);
    }
    for (const ComparedVariant& variant : comparison.variants) {
        if (variant.status != Status::ok) {
            out << std::format("{}: {}: {}\n", variant.variant, to_string(variant.status), variant.reason);
        }
    }
}

/// The first status that is not ok, in the order of Status. A variant that is unavailable on this machine does not
/// spoil the comparison of the others.
int status_of(const Comparison& comparison) {
    Status status = Status::ok;
    bool timed = false;
    for (const ComparedVariant& variant : comparison.variants) {
        if (variant.status != Status::unavailable) status = worst(status, variant.status);
        timed = timed || variant.status == Status::ok;
    }
    return timed || status != Status::ok ? exit_status_of(status) : exit_status_of(Status::unavailable);
}

int compare_command(CompareOptions& options, Context& context) {
    const Validated<Project> project = load_chosen(options.common);
    if (!project) return report(context, project.error());
    const Validated<ComparisonPlan> plan = plan_comparison(*project, options.common.run, options.variants);
    if (!plan) return report(context, plan.error());
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    const Comparison comparison =
        compare(*plan, **worker, terminal_progress(), [](const Comparison&) {}, context.interrupted.get_token());
    clear_progress();
    const Result<void> saved = save_comparison(project->folder, comparison);
    const std::vector<DispatchedCase> dispatched =
        dispatched_cases(*project, comparison, (*worker)->device_numbers(comparison.device));
    if (context.json) print_json(document_of(comparison, dispatched));
    else print_comparison(std::cout, comparison, dispatched);
    if (!saved) complain(Error{say("the comparison was not kept: {}", saved.error().message)});
    return saved ? status_of(comparison) : int{exit_usage};
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command =
        app.add_subcommand("compare", "Verify and time all variants of a device side by side, in one run");
    add_common(*command, options->common);
    command->remove_option(command->get_option("--variant"));
    command->add_option("--variant", options->variants, "One of the variants to compare; repeatable; default: all")
        ->allow_extra_args(false);
    add_timing(*command, options->common, "The variant that all are timed against");
    command->footer(compare_examples);
    command->callback([options, &context] { context.exit_status = compare_command(*options, context); });
}

}  // namespace kernelgen::cli
