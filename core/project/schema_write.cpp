// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/project/attribute_value.h"
#include "core/project/project_file.h"
#include "core/project/schema.h"

namespace kernelgen {

using nlohmann::ordered_json;

namespace {

/// Adds a value, unless it is empty.
void add(ordered_json& object, const char* key, const auto& value) {
    if (!value.empty()) object[key] = value;
}

/// An expression in JSON: an integer as a number, everything else as a string.
ordered_json expression(const std::string& text) {
    long long number = 0;
    if (parse_integer(text, number) && std::to_string(number) == text) return number;
    return text;
}

/// A number in JSON: whole numbers have no decimal point.
ordered_json number(double value) {
    const bool is_whole = std::abs(value) < 0x1p53 && value == std::floor(value);
    return is_whole ? ordered_json(static_cast<std::int64_t>(value)) : ordered_json(value);
}

ordered_json expressions(const std::vector<std::string>& texts) {
    ordered_json array = ordered_json::array();
    for (const std::string& text : texts) array.push_back(expression(text));
    return array;
}

ordered_json to_json(const Domain& domain) {
    if (domain.kind == Domain::Kind::positive) return "positive";
    ordered_json interval = ordered_json::array({number(domain.low), number(domain.high)});
    if (domain.kind == Domain::Kind::integers) return {{"integers", interval}};
    return interval;
}

ordered_json to_json(const Tensor& tensor) {
    ordered_json result = {{"name", tensor.name}, {"shape", expressions(tensor.shape)}};
    if (tensor.dtype) result["dtype"] = to_string(*tensor.dtype);
    if (tensor.domain) result["domain"] = to_json(*tensor.domain);
    return result;
}

ordered_json to_json(const Tolerance& tolerance) { return {{"rtol", tolerance.rtol}, {"atol", tolerance.atol}}; }

ordered_json to_json(const TensorMap& map) {
    ordered_json result = {{"tensor_map", map.tensor}, {"box", expressions(map.box)}};
    if (map.swizzle != 0) result["swizzle"] = map.swizzle;
    return result;
}

ordered_json to_json(const Launch& launch) {
    ordered_json result = ordered_json::object();
    add(result, "entry", launch.entry);
    result["grid"] = expressions(launch.grid);
    result["args"] = ordered_json::array();
    for (const std::string& each : launch.args) {
        const auto map = tensor_map_index(each);
        result["args"].push_back(map ? to_json(launch.tensor_maps[*map]) : ordered_json(each));
    }
    for (const ConstantCopy& each : launch.constants)
        result["args"].push_back({{"constant", each.constant}, {"from", each.from}});
    add(result, "order", launch.order);
    if (!launch.threads.empty()) result["threads"] = expression(launch.threads);
    if (!launch.block.empty()) result["block"] = expressions(launch.block);
    if (!launch.shared_bytes.empty()) result["shared_bytes"] = expression(launch.shared_bytes);
    return result;
}

ordered_json to_json(const Workspace& workspace) {
    ordered_json result = {{"name", workspace.name}, {"shape", expressions(workspace.shape)}};
    if (workspace.dtype != Workspace{}.dtype) result["dtype"] = to_string(workspace.dtype);
    return result;
}

ordered_json to_json(const ConfigurationRule& rule) { return {{"when", rule.when}, {"values", rule.values}}; }

ordered_json each_to_json(const auto& items) {
    ordered_json array = ordered_json::array();
    for (const auto& item : items) array.push_back(to_json(item));
    return array;
}

}  // namespace

ordered_json to_json(const Operator& definition) {
    ordered_json result = {{"name", definition.name}, {"family", to_string(definition.family)}};
    add(result, "description", definition.description);
    if (has_file(definition.family)) {
        add(result, "symbols", definition.symbols);
    } else {
        result["symbols"] = definition.symbols;
        result["inputs"] = each_to_json(definition.inputs);
        result["outputs"] = each_to_json(definition.outputs);
    }
    for (const Attribute& attribute : definition.attributes)
        result["attributes"][attribute.name] = attribute_json(attribute);
    add(result, "body", definition.body);
    add(result, "constraints", definition.constraints);
    if (definition.arithmetic) result["arithmetic"] = to_string(*definition.arithmetic);
    if (definition.accumulate) result["accumulate"] = to_string(*definition.accumulate);
    add(result, "reference", definition.reference);
    add(result, "definition", definition.file);
    return result;
}

ordered_json to_json(const Tunable& tunable) {
    return {{"name", tunable.name}, {"values", tunable.values}, {"value", tunable.value}};
}

ordered_json to_json(const DispatchRule& rule) { return {{"when", rule.when}, {"variant", rule.variant}}; }

ordered_json to_json(const Case& binding) {
    ordered_json result = {{"name", binding.name}, {"dtype", to_string(binding.dtype)}};
    for (const auto& [symbol, size] : binding.sizes) result[symbol] = size;
    return result;
}

ordered_json to_json(const Accuracy& accuracy) {
    ordered_json result = accuracy.f32 ? to_json(*accuracy.f32) : ordered_json::object();
    for (const auto& [dtype, tolerance] : accuracy.named) result[std::string(to_string(dtype))] = to_json(tolerance);
    return result;
}

ordered_json to_json(const Performance& performance) {
    const Performance defaults;
    ordered_json result = ordered_json::object();
    if (performance.baseline.size() == 1 && performance.baseline.contains("")) {
        result["baseline"] = performance.baseline.at("");
    } else {
        add(result, "baseline", performance.baseline);
    }
    result["target_speedup"] = performance.target_speedup;
    result["max_rounds"] = performance.max_rounds;
    if (performance.budget_seconds != defaults.budget_seconds) result["budget_seconds"] = performance.budget_seconds;
    if (performance.warm_caches) result["caches"] = "warm";
    return result;
}

ordered_json to_json(const Companion& companion) {
    ordered_json result = {{"kind", companion.kind}, {"source", companion.source}};
    add(result, "generated", companion.generated);
    return result;
}

ordered_json to_json(const Variant& variant) {
    ordered_json result = {{"name", variant.name}, {"language", to_string(variant.language)}};
    add(result, "source", variant.source);
    add(result, "sources", variant.sources);
    add(result, "entry", variant.entry);
    add(result, "interface", variant.interface);
    if (variant.launches.size() == 1) result["launch"] = to_json(variant.launches[0]);
    if (variant.launches.size() > 1) result["launches"] = each_to_json(variant.launches);
    if (!variant.workspace.empty()) result["workspace"] = each_to_json(variant.workspace);
    if (!variant.tunables.empty()) result["tunables"] = each_to_json(variant.tunables);
    if (!variant.configurations.empty()) result["configurations"] = each_to_json(variant.configurations);
    add(result, "let", variant.let);
    add(result, "restrictions", variant.restrictions);
    add(result, "flags", variant.flags);
    add(result, "devices", variant.devices);
    add(result, "library", variant.library);
    add(result, "primitive", variant.primitive);
    add(result, "generated", variant.generated);
    if (!variant.deterministic) result["deterministic"] = false;
    if (variant.compile) result["compile"] = true;
    if (!variant.companions.empty()) result["companions"] = each_to_json(variant.companions);
    return result;
}

ordered_json to_json(const Implementation& implementation) {
    ordered_json result = {{"variant", to_json(implementation.variant)},
                           {"text", implementation.text},
                           {"configuration", implementation.configuration}};
    add(result, "files", implementation.files);
    add(result, "device", implementation.device);
    return result;
}

}  // namespace kernelgen
