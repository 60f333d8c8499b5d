// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/lang/analysis.h"
#include "core/lang/lexer.h"
#include "core/project/attribute_value.h"
#include "core/project/by_case.h"
#include "core/project/dispatch.h"
#include "core/project/launch_plan.h"
#include "core/project/project_file.h"
#include "core/project/values.h"

namespace kernelgen::cli {

using nlohmann::ordered_json;

namespace {

ordered_json variant_on_case(const Project& project, const Variant& variant, const Case& binding) {
    const Implementation implementation = for_case({variant, "", configuration_of(variant)}, binding);
    ordered_json entry = {{"variant", variant.name},
                          {"language", to_string(variant.language)},
                          {"configuration", implementation.configuration},
                          {"restricted", nullptr}};
    if (const auto violated = violated_restriction(implementation, binding)) entry["restricted"] = *violated;
    if (variant.language == Language::library) return entry;
    const Result<LaunchPlan> plan = plan_launches(project.definition, implementation, binding);
    if (!plan) {
        const bool needs_device = plan.error().message.contains("`" + std::string(device_prefix));
        entry["error"] = needs_device ? "the grid depends on the device" : plan.error().message;
        return entry;
    }
    entry["grids"] = ordered_json::array();
    for (const PlannedLaunch& launch : plan->launches) entry["grids"].push_back(launch.grid);
    return entry;
}

/// By kind of device, the dispatch rule that counts on a case; those on numbers of a device do not, for none is asked.
ordered_json dispatch_on_case(const Project& project, const Case& binding) {
    ordered_json chosen = ordered_json::object();
    for (const std::string_view kind : device_kinds) {
        const std::vector<DispatchRule> rules = dispatch_on(project, kind);
        const DispatchRule* rule = rule_for(rules, binding, {});
        if (rule != nullptr) chosen[std::string(kind)] = {{"when", rule->when}, {"variant", rule->variant}};
    }
    return chosen;
}

ordered_json case_entry(const Project& project, const Body* body, const Case& binding) {
    ordered_json entry = {{"name", binding.name}, {"dtype", to_string(binding.dtype)}, {"sizes", binding.sizes}};
    if (body != nullptr) {
        const Analysis analysis = analyse_case(project.definition, *body, binding);
        entry["flops"] = analysis.flops;
        entry["transcendentals"] = analysis.transcendentals;
        entry["bytes_read"] = analysis.bytes_read;
        entry["bytes_written"] = analysis.bytes_written;
        entry["intensity"] = analysis.intensity();
    }
    if (!project.dispatch.empty()) entry["dispatch"] = dispatch_on_case(project, binding);
    entry["variants"] = ordered_json::array();
    for (const Variant& variant : project.variants) {
        entry["variants"].push_back(variant_on_case(project, variant, binding));
    }
    return entry;
}

/// What a reader of the definition may not expect of its numbers.
std::vector<std::string> notes_on(const Project& project) {
    const Operator& definition = project.definition;
    std::vector<std::string> notes;
    const bool in_f32 = !definition.arithmetic && std::ranges::any_of(project.cases, [&](const Case& each) {
        return arithmetic_of(definition, each) == DType::f32;
    });
    for (const auto* tensors : {&definition.inputs, &definition.outputs}) {
        for (const Tensor& tensor : *tensors) {
            if (!in_f32 || definition.body.empty() || tensor.dtype != DType::f64) continue;
            notes.push_back("`" + tensor.name + "` is f64, but arithmetic is in f32 where the case is not f64: " +
                            "give the operator \"arithmetic\": \"f64\" to keep its digits");
        }
    }
    return notes;
}

/// The dispatch rules, and what they choose on each case.
void print_dispatch(const Project& project, const ordered_json& cases) {
    for (const DispatchRule& rule : project.dispatch)
        std::cout << std::format("dispatch when {}: variant {}\n", rule.when, rule.variant);
    for (const ordered_json& each : cases) {
        if (!each.contains("dispatch")) continue;
        for (const auto& [kind, rule] : each["dispatch"].items())
            std::cout << std::format("{} on {}: variant {} by dispatch\n", each["name"].get<std::string>(), kind,
                                     rule["variant"].get<std::string>());
    }
}

void print_info(const Project& project, const ordered_json& document) {
    const Operator& definition = project.definition;
    std::cout << definition.name << " (" << to_string(definition.family)
              << "): " << (has_file(definition.family) ? "defined by " + definition.file : definition.body) << "\n";
    const auto print_tensor = [](const char* role, const Tensor& tensor) {
        std::cout << std::format("  {} {}[{}]{}{}\n", role, tensor.name, join(tensor.shape, ", "),
                                 tensor.dtype ? " " + std::string(to_string(*tensor.dtype)) : "",
                                 tensor.domain ? " in " + to_string(*tensor.domain) : "");
    };
    for (const Tensor& tensor : definition.inputs) print_tensor("input ", tensor);
    for (const Tensor& tensor : definition.outputs) print_tensor("output", tensor);
    for (const Attribute& attribute : definition.attributes)
        std::cout << std::format("  {} = {}\n", attribute.name, attribute_text(attribute));
    for (const std::string& constraint : definition.constraints) std::cout << "  where " << constraint << "\n";
    for (const ordered_json& note : document["notes"]) std::cout << "  note: " << note.get<std::string>() << "\n";
    Table cases{{"case", "dtype", "MFLOP", "MB", name_of(metrics::intensity)}, {}};
    for (const ordered_json& each : document["cases"]) {
        if (!each.contains("flops")) continue;
        const double bytes = each["bytes_read"].get<double>() + each["bytes_written"].get<double>();
        cases.rows.push_back({each["name"], each["dtype"], std::format("{:.2f}", each["flops"].get<double>() / 1e6),
                              std::format("{:.2f}", bytes / 1e6),
                              value_text(metrics::intensity, each[metrics::intensity.name].get<double>())});
    }
    print_table(std::cout, cases);
    for (const Variant& variant : project.variants) {
        std::cout << std::format("variant {} ({})", variant.name, to_string(variant.language));
        if (variant.language == Language::library) std::cout << ": " << variant.library << " " << variant.primitive;
        std::cout << "\n";
        for (const Tunable& tunable : variant.tunables) {
            std::vector<std::string> values;
            for (const std::int64_t value : tunable.values) values.push_back(std::to_string(value));
            std::cout << std::format("  {} = {} of {}\n", tunable.name, tunable.value, join(values, ", "));
        }
        for (const ConfigurationRule& rule : variant.configurations)
            std::cout << std::format("  when {}: {}\n", rule.when, configuration_text(rule.values));
        for (const std::string& line : variant.let) std::cout << "  let " << line << "\n";
        for (const std::string& restriction : variant.restrictions)
            std::cout << "  restriction: " << restriction << "\n";
    }
    print_dispatch(project, document["cases"]);
    for (const ordered_json& each : document["cases"]) {
        for (const ordered_json& variant : each["variants"]) {
            const std::string place =
                each["name"].get<std::string>() + ", " + variant["variant"].get<std::string>() + ": ";
            if (!variant["restricted"].is_null())
                std::cout << place << variant["restricted"].get<std::string>() << "\n";
            if (variant.contains("error")) std::cout << place << variant["error"].get<std::string>() << "\n";
        }
    }
}

int info_command(const std::string& path, Context& context) {
    const Checked<Project> project = load_project(path);
    if (!project) return report(context, project.error());
    const Checked<Body> body = analyse(project->definition);
    ordered_json document = {
        {"operator", to_json(project->definition)}, {"notes", notes_on(*project)}, {"cases", ordered_json::array()}};
    for (const Case& binding : project->cases) {
        document["cases"].push_back(case_entry(*project, body ? &*body : nullptr, binding));
    }
    if (context.json) print_json(document);
    else print_info(*project, document);
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
