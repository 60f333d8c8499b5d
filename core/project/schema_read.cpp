// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/base/json_values.h"
#include "core/base/text.h"
#include "core/project/attribute_value.h"
#include "core/project/project_file.h"
#include "core/project/schema.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::string_view later_families[] = {"matmul", "conv2d", "attention"};

/// An expression or a dimension: a string, or an integer for short.
struct Expression {
    std::string text;
};

void read(const JsonPlace& place, Expression& expression) {
    if (!place.value().is_number_integer()) return kernelgen::read(place, expression.text);
    std::int64_t number = 0;
    kernelgen::read(place, number);
    expression.text = std::to_string(number);
}

void optional_expression(JsonObject& object, const std::string& key, std::string& text) {
    Expression expression{text};
    object.optional(key, expression);
    text = expression.text;
}

std::vector<std::string> texts_of(std::vector<Expression> expressions) {
    std::vector<std::string> texts;
    for (Expression& each : expressions) texts.push_back(std::move(each.text));
    return texts;
}

void required_expressions(JsonObject& object, const std::string& key, std::vector<std::string>& texts) {
    std::vector<Expression> expressions;
    object.required(key, expressions);
    texts = texts_of(std::move(expressions));
}

void optional_expressions(JsonObject& object, const std::string& key, std::vector<std::string>& texts) {
    std::vector<Expression> expressions;
    object.optional(key, expressions);
    texts = texts_of(std::move(expressions));
}

}  // namespace

std::vector<std::string> dtype_names() {
    std::vector<std::string> names;
    for (const DType dtype : all_dtypes) names.emplace_back(to_string(dtype));
    return names;
}

void read(const JsonPlace& place, DType& dtype) { read_choice(place, dtype, parse_dtype, "dtype", dtype_names()); }

void read(const JsonPlace& place, Language& language) {
    read_choice(place, language, parse_language, "language", language_names());
}

void read(const JsonPlace& place, Accumulation& accumulation) {
    read_choice(place, accumulation, parse_accumulation, "format of sums", accumulation_names());
}

void read(const JsonPlace& place, Family& family) {
    std::string name;
    read(place, name);
    if (std::ranges::contains(later_families, name))
        return place.error("family `" + name + "` is not supported by this version", suggest("", family_names()));
    read_choice(place, family, parse_family, "family", family_names());
}

namespace {

struct Interval {
    double low = 0, high = 0;
};

void read(const JsonPlace& place, Interval& interval) {
    std::vector<double> ends;
    kernelgen::read(place, ends);
    if (!place.value().is_array()) return;
    if (ends.size() != 2)
        return place.error("expected two numbers, the least and the greatest value", "such as [0, 1]");
    interval = {ends[0], ends[1]};
}

}  // namespace

void read(const JsonPlace& place, Domain& domain) {
    Interval interval;
    if (place.value().is_array()) {
        domain.kind = Domain::Kind::interval;
        read(place, interval);
    } else if (place.value().is_object()) {
        domain.kind = Domain::Kind::integers;
        JsonObject object(place);
        object.required("integers", interval);
        object.finish();
    } else if (place.value() != "positive") {
        place.error("expected a domain", "one of: \"positive\", [0, 1], {\"integers\": [0, 9]}");
    }
    domain.low = interval.low;
    domain.high = interval.high;
}

void read(const JsonPlace& place, Tensor& tensor) {
    JsonObject object(place);
    object.required("name", tensor.name);
    required_expressions(object, "shape", tensor.shape);
    object.optional("dtype", tensor.dtype);
    object.optional("domain", tensor.domain);
    object.finish();
}

void read(const JsonPlace& place, std::vector<Attribute>& attributes) {
    if (!place.expect_object()) return;
    for (const auto& [name, value] : place.value().items()) {
        if (value.is_number() || value.is_boolean()) attributes.push_back(attribute_from_json(name, value));
        else
            place.member(name, value)
                .error("expected a number, true or false, found " + std::string(value.type_name()));
    }
}

void read(const JsonPlace& place, Operator& definition) {
    JsonObject object(place);
    object.required("name", definition.name);
    object.optional("family", definition.family);
    object.optional("description", definition.description);
    const auto told = [&](const char* key, auto& list) {
        if (has_file(definition.family)) object.optional(key, list);
        else object.required(key, list);
    };
    told("symbols", definition.symbols);
    told("inputs", definition.inputs);
    told("outputs", definition.outputs);
    object.optional("attributes", definition.attributes);
    object.optional("body", definition.body);
    object.optional("constraints", definition.constraints);
    object.optional("arithmetic", definition.arithmetic);
    object.optional("accumulate", definition.accumulate);
    object.optional("reference", definition.reference);
    object.optional("definition", definition.file);
    object.finish();
}

void read(const JsonPlace& place, Case& binding) {
    JsonObject object(place);
    object.required("name", binding.name);
    object.required("dtype", binding.dtype);
    for (const std::string& symbol : object.others()) object.required(symbol, binding.sizes[symbol]);
}

void read(const JsonPlace& place, Tolerance& tolerance) {
    JsonObject object(place);
    object.required("rtol", tolerance.rtol);
    object.required("atol", tolerance.atol);
    object.finish();
}

void read(const JsonPlace& place, Accuracy& accuracy) {
    JsonObject object(place);
    if (object.has("rtol") || object.has("atol")) {
        accuracy.f32.emplace();
        object.required("rtol", accuracy.f32->rtol);
        object.required("atol", accuracy.f32->atol);
    } else {
        double none = 0;  // so that a misspelt key finds them
        object.optional("rtol", none);
        object.optional("atol", none);
    }
    for (const DType dtype : all_dtypes) {
        Tolerance tolerance;
        if (object.optional(std::string(to_string(dtype)), tolerance)) accuracy.named[dtype] = tolerance;
    }
    object.finish();
}

namespace {

/// A variant's name, or a map from kind of device to name.
struct Baseline {
    std::map<std::string, std::string> names;
};

void read(const JsonPlace& place, Baseline& baseline) {
    if (place.value().is_string()) return kernelgen::read(place, baseline.names[""]);
    if (!place.value().is_object()) {
        return place.error("expected a variant's name, or an object such as {\"cpu\": \"library\"}");
    }
    for (const auto& [kind, name] : place.value().items()) {
        kernelgen::read(place.member(kind, name), baseline.names[kind]);
    }
}

struct Caches {
    bool warm = false;
};

void read(const JsonPlace& place, Caches& caches) {
    read_choice<bool>(place, caches.warm,
                      [](std::string_view name) -> std::optional<bool> {
                          if (name == "cold" || name == "warm") return name == "warm";
                          return std::nullopt;
                      },
                      "state of the caches", {"cold", "warm"});
}

}  // namespace

void read(const JsonPlace& place, Performance& performance) {
    JsonObject object(place);
    Baseline baseline;
    Caches caches;
    object.optional("baseline", baseline);
    object.optional("target_speedup", performance.target_speedup);
    object.optional("max_rounds", performance.max_rounds);
    object.optional("budget_seconds", performance.budget_seconds);
    object.optional("caches", caches);
    object.finish();
    performance.baseline = std::move(baseline.names);
    performance.warm_caches = caches.warm;
}

namespace {

/// The name of an argument, a constant, or a tensor map.
struct LaunchArgument {
    std::string name;
    std::optional<ConstantCopy> constant;
    std::optional<TensorMap> map;
};

void read_tensor_map(const JsonPlace& place, TensorMap& map) {
    JsonObject object(place);
    object.required("tensor_map", map.tensor);
    required_expressions(object, "box", map.box);
    object.optional("swizzle", Within{map.swizzle, 0, 128});
    object.finish();
}

void read(const JsonPlace& place, LaunchArgument& argument) {
    if (!place.value().is_object()) return kernelgen::read(place, argument.name);
    if (place.value().contains("tensor_map")) return read_tensor_map(place, argument.map.emplace());
    ConstantCopy& copy = argument.constant.emplace();
    JsonObject object(place);
    object.required("constant", copy.constant);
    object.required("from", copy.from);
    object.finish();
}

}  // namespace

void read(const JsonPlace& place, Launch& launch) {
    JsonObject object(place);
    object.optional("entry", launch.entry);
    required_expressions(object, "grid", launch.grid);
    std::vector<LaunchArgument> arguments;
    object.required("args", arguments);
    for (LaunchArgument& each : arguments) {
        if (each.constant) launch.constants.push_back(std::move(*each.constant));
        else if (!each.map) launch.args.push_back(std::move(each.name));
        else {
            launch.args.push_back(tensor_map_argument(launch.tensor_maps.size()));
            launch.tensor_maps.push_back(std::move(*each.map));
        }
    }
    object.optional("order", launch.order);
    optional_expression(object, "threads", launch.threads);
    optional_expressions(object, "block", launch.block);
    optional_expression(object, "shared_bytes", launch.shared_bytes);
    object.finish();
}

void read(const JsonPlace& place, Workspace& workspace) {
    JsonObject object(place);
    object.required("name", workspace.name);
    required_expressions(object, "shape", workspace.shape);
    object.optional("dtype", workspace.dtype);
    object.finish();
}

void read(const JsonPlace& place, Tunable& tunable) {
    JsonObject object(place);
    object.required("name", tunable.name);
    object.required("values", tunable.values);
    object.required("value", tunable.value);
    object.finish();
}

void read(const JsonPlace& place, Companion& companion) {
    JsonObject object(place);
    object.required("kind", companion.kind);
    object.required("source", companion.source);
    object.optional("generated", companion.generated);
    object.finish();
}

void read(const JsonPlace& place, Configuration& configuration) {
    if (!place.expect_object()) return;
    for (const auto& [name, value] : place.value().items()) read(place.member(name, value), configuration[name]);
}

void read(const JsonPlace& place, ConfigurationRule& rule) {
    JsonObject object(place);
    object.required("when", rule.when);
    object.required("values", rule.values);
    object.finish();
}

void read(const JsonPlace& place, DispatchRule& rule) {
    JsonObject object(place);
    object.required("when", rule.when);
    object.required("variant", rule.variant);
    object.finish();
}

void read(const JsonPlace& place, Variant& variant) {
    JsonObject object(place);
    object.required("name", variant.name);
    object.required("language", variant.language);
    object.optional("source", variant.source);
    object.optional("sources", variant.sources);
    object.optional("entry", variant.entry);
    object.optional("interface", variant.interface);
    if (Launch launch; object.optional("launch", launch)) variant.launches.push_back(std::move(launch));
    if (std::vector<Launch> launches; object.optional("launches", launches)) {
        if (!variant.launches.empty()) place.error("`launch` and `launches` exclude each other", "keep one of them");
        variant.launches = std::move(launches);
    }
    object.optional("workspace", variant.workspace);
    object.optional("tunables", variant.tunables);
    object.optional("configurations", variant.configurations);
    object.optional("let", variant.let);
    object.optional("restrictions", variant.restrictions);
    object.optional("flags", variant.flags);
    object.optional("devices", variant.devices);
    object.optional("library", variant.library);
    object.optional("primitive", variant.primitive);
    object.optional("generated", variant.generated);
    object.optional("deterministic", variant.deterministic);
    object.optional("compile", variant.compile);
    object.optional("companions", variant.companions);
    object.finish();
}

void read(const JsonPlace& place, SourceFiles& files) {
    if (!place.expect_object()) return;
    for (const auto& [file, text] : place.value().items()) read(place.member(file, text), files[file]);
}

void read(const JsonPlace& place, Implementation& implementation) {
    JsonObject object(place);
    object.required("variant", implementation.variant);
    object.required("text", implementation.text);
    object.required("configuration", implementation.configuration);
    object.optional("files", implementation.files);
    object.optional("device", implementation.device);
    object.finish();
}

namespace {

template <class T>
Validated<T> read_all(const json& source) {
    Diagnostics diagnostics;
    T value;
    read(JsonPlace(source, diagnostics), value);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return value;
}

}  // namespace

Validated<Operator> operator_from_json(const json& source) { return read_all<Operator>(source); }
Validated<Implementation> implementation_from_json(const json& source) { return read_all<Implementation>(source); }
Validated<Case> case_from_json(const json& source) { return read_all<Case>(source); }
Validated<Accuracy> accuracy_from_json(const json& source) { return read_all<Accuracy>(source); }
Validated<Performance> performance_from_json(const json& source) { return read_all<Performance>(source); }

}  // namespace kernelgen
