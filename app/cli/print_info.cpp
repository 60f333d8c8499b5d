// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_info.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/generate/byte_products.h"
#include "core/generate/lower.h"
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
        const bool needs_device = plan.error().message.text().contains("`" + std::string(device_prefix));
        entry["error"] = needs_device ? "the grid depends on the device" : plan.error().message;
        return entry;
    }
    entry["grids"] = ordered_json::array();
    for (const PlannedLaunch& launch : plan->launches) entry["grids"].push_back(launch.grid);
    return entry;
}

/// The dispatch rule that counts on a case, by kind of device. Rules that name numbers of a device never count here,
/// since no device is asked.
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

/// Notes on what a reader of the definition must not expect of its numbers.
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
    const Validated<Body> body = definition.body.empty() ? Validated<Body>() : analyse(definition);
    const auto why = body && body->contraction ? why_bytes_are_plain(definition, lower(*body)) : std::nullopt;
    if (why)
        notes.push_back("the operands of 8 bits are converted and multiplied in f32, not by tensor cores: " + *why);
    return notes;
}

/// The dispatch rules, and what they choose on each case.
void print_dispatch(std::ostream& out, const Project& project, const ordered_json& cases) {
    for (const DispatchRule& rule : project.dispatch)
        out << std::format("dispatch when {}: variant {}\n", rule.when, rule.variant);
    for (const ordered_json& each : cases) {
        if (!each.contains("dispatch")) continue;
        for (const auto& [kind, rule] : each["dispatch"].items())
            out << std::format("{} on {}: variant {} by dispatch\n", each["name"].get<std::string>(), kind,
                               rule["variant"].get<std::string>());
    }
}

}  // namespace

void print_info(std::ostream& out, const Project& project, const ordered_json& document) {
    const Operator& definition = project.definition;
    out << definition.name << " (" << to_string(definition.family)
        << "): " << (has_file(definition.family) ? "defined by " + definition.file : definition.body) << "\n";
    const auto print_tensor = [&out](const char* role, const Tensor& tensor) {
        out << std::format("  {} {}[{}]{}{}\n", role, tensor.name, join(tensor.shape, ", "),
                           tensor.dtype ? " " + std::string(to_string(*tensor.dtype)) : "",
                           tensor.domain ? " in " + to_string(*tensor.domain) : "");
    };
    for (const Tensor& tensor : definition.inputs) print_tensor("input ", tensor);
    for (const Tensor& tensor : definition.outputs) print_tensor("output", tensor);
    for (const Attribute& attribute : definition.attributes)
        out << std::format("  {} = {}\n", attribute.name, attribute_text(attribute));
    for (const std::string& constraint : definition.constraints) out << "  where " << constraint << "\n";
    for (const ordered_json& note : document["notes"]) out << "  note: " << note.get<std::string>() << "\n";
    Table cases{{"case", "dtype", "MFLOP", "MB", name_of(metrics::intensity)}, {}};
    for (const ordered_json& each : document["cases"]) {
        if (!each.contains("flops")) continue;
        const double bytes = each["bytes_read"].get<double>() + each["bytes_written"].get<double>();
        cases.rows.push_back({each["name"], each["dtype"], std::format("{:.2f}", each["flops"].get<double>() / 1e6),
                              std::format("{:.2f}", bytes / 1e6),
                              value_text(metrics::intensity, each[metrics::intensity.name].get<double>())});
    }
    print_table(out, cases);
    for (const Variant& variant : project.variants) {
        out << std::format("variant {} ({})", variant.name, to_string(variant.language));
        if (variant.language == Language::library) out << ": " << variant.library << " " << variant.primitive;
        out << "\n";
        for (const Tunable& tunable : variant.tunables) {
            std::vector<std::string> values;
            for (const std::int64_t value : tunable.values) values.push_back(std::to_string(value));
            out << std::format("  {} = {} of {}\n", tunable.name, tunable.value, join(values, ", "));
        }
        for (const ConfigurationRule& rule : variant.configurations)
            out << std::format("  when {}: {}\n", rule.when, configuration_text(rule.values));
        for (const std::string& line : variant.let) out << "  let " << line << "\n";
        for (const std::string& restriction : variant.restrictions) out << "  restriction: " << restriction << "\n";
    }
    print_dispatch(out, project, document["cases"]);
    for (const ordered_json& each : document["cases"]) {
        for (const ordered_json& variant : each["variants"]) {
            const std::string place =
                each["name"].get<std::string>() + ", " + variant["variant"].get<std::string>() + ": ";
            if (!variant["restricted"].is_null()) out << place << variant["restricted"].get<std::string>() << "\n";
            if (variant.contains("error")) out << place << variant["error"].get<std::string>() << "\n";
        }
    }
}

ordered_json info_document(const Project& project) {
    const Validated<Body> body = analyse(project.definition);
    ordered_json document = {
        {"operator", to_json(project.definition)}, {"notes", notes_on(project)}, {"cases", ordered_json::array()}};
    for (const Case& binding : project.cases)
        document["cases"].push_back(case_entry(project, body ? &*body : nullptr, binding));
    return document;
}

}  // namespace kernelgen::cli
