// SPDX-License-Identifier: Apache-2.0
#include "core/backend/call_json.h"

#include <array>
#include <cmath>
#include <format>
#include <nlohmann/json.hpp>

#include "core/base/json_values.h"
#include "core/project/attribute_value.h"
#include "core/project/schema.h"

namespace kernelgen {

using nlohmann::json;

namespace {

json to_json(const BoundTensor& tensor) {
    json result = {{"name", tensor.name},
                   {"dtype", to_string(tensor.dtype)},
                   {"extents", tensor.extents},
                   {"bytes", tensor.bytes}};
    if (tensor.domain) result["domain"] = to_string(*tensor.domain);
    if (tensor.is_mutated) result["mutated"] = true;
    return result;
}

json to_json(const Attribute& attribute) { return {{"name", attribute.name}, {"value", attribute_json(attribute)}}; }

json to_json(const Argument& argument) {
    return {{"kind", to_string(argument.kind)}, {"index", argument.index}, {"name", argument.name}};
}

json to_json(const Region& region) { return {region.offset, region.bytes}; }

json to_json(const PlannedConstant& copy) { return {{"constant", copy.constant}, {"input", copy.input}}; }

json to_json(const PlannedTensorMap& map) {
    return {{"output", map.is_output}, {"index", map.index}, {"dtype", to_string(map.dtype)},
            {"extents", map.extents},  {"box", map.box},     {"swizzle", map.swizzle}};
}

json to_json(const PlannedLaunch& launch) {
    json result = {{"entry", launch.entry},
                   {"grid", launch.grid},
                   {"order", launch.order},
                   {"block", launch.block},
                   {"threads", launch.threads},
                   {"shared_bytes", launch.shared_bytes},
                   {"args", list_of(launch.args, to_json)}};
    if (!launch.constants.empty()) result["constants"] = list_of(launch.constants, to_json);
    if (!launch.tensor_maps.empty()) {
        result["tensor_maps"] = json::array();
        for (const PlannedTensorMap& each : launch.tensor_maps) result["tensor_maps"].push_back(to_json(each));
    }
    return result;
}

json to_json(const CallableRole& role) {
    return {{"role", role.role},   {"file", role.file},    {"text", role.text},
            {"files", role.files}, {"case", role.binding}, {"signature", role.signature}};
}

json to_json(const PythonSource& python) {
    json object = {{"file", python.file},       {"text", python.text},
                   {"entry", python.entry},     {"configuration", python.configuration},
                   {"compile", python.compile}, {"files", python.files}};
    const Judging& judges = python.judges;
    if (judges != Judging{})
        object["judges"] = {{"in_float64", judges.in_float64}, {"noise", judges.noise}, {"ties", judges.ties}};
    if (!python.callable.role.empty()) object["callable"] = to_json(python.callable);
    if (!python.interface.empty()) object["interface"] = python.interface;
    return object;
}

/// How many elements of a call can be arguments of this kind.
std::size_t count_of(const Call& call, const PlannedLaunch& launch, Argument::Kind kind) {
    switch (kind) {
        case Argument::Kind::tensor_map: return launch.tensor_maps.size();
        case Argument::Kind::input: return call.inputs.size();
        case Argument::Kind::output: return call.outputs.size();
        case Argument::Kind::workspace: return call.workspace_dtypes.size();
        case Argument::Kind::attribute: return call.attributes.size();
        case Argument::Kind::symbol: break;
    }
    return call.symbols.size();
}

void check_arguments(const JsonPlace& place, const Call& call) {
    for (const PlannedLaunch& launch : call.plan.launches) {
        for (const Argument& argument : launch.args) {
            if (static_cast<std::size_t>(argument.index) < count_of(call, launch, argument.kind)) continue;
            place.error(std::format("there is no {} {} for the argument {}", to_string(argument.kind), argument.index,
                                    in_backquotes(argument.name)));
        }
        for (const PlannedTensorMap& map : launch.tensor_maps) {
            const auto& tensors = map.is_output ? call.outputs : call.inputs;
            if (static_cast<std::size_t>(map.index) < tensors.size()) continue;
            place.error(std::format("there is no {} {} for the argument {}", map.is_output ? "output" : "input",
                                    map.index, "`tensor_map`"));
        }
        for (const PlannedConstant& copy : launch.constants) {
            if (static_cast<std::size_t>(copy.input) < call.inputs.size()) continue;
            place.error(std::format("there is no {} {} for the argument {}", "input", copy.input,
                                    in_backquotes(copy.constant)));
        }
    }
}

void check_regions(const JsonPlace& place, const Layout& layout) {
    for (const auto* regions : {&layout.inputs, &layout.outputs, &layout.workspace}) {
        for (const Region& region : *regions) {
            if (region.offset <= layout.total && region.bytes <= layout.total - region.offset) continue;
            place.error(std::format("{} bytes from byte {} on are beyond the {} bytes of the layout", region.bytes,
                                    region.offset, layout.total));
        }
    }
}

}  // namespace

// Readers of the parts. They are found by their arguments, so they cannot be in the unnamed namespace.

/// A domain in its text form.
struct DomainText {
    std::optional<Domain>& domain;
};

static void read(const JsonPlace& place, const DomainText& text) {
    Domain& domain = text.domain.emplace();
    read_choice(place, domain, parse_domain, "domain", {"positive", "-1..1", "integers 0..9"});
    if (const auto problem = domain_problem(domain)) place.error(*problem);
}

static void read(const JsonPlace& place, Argument::Kind& kind) {
    read_choice(place, kind, parse_argument_kind, "argument kind",
                {"input", "output", "workspace", "attribute", "symbol"});
}

static void read(const JsonPlace& place, BoundTensor& tensor) {
    JsonObject object(place);
    object.required("name", tensor.name);
    object.required("dtype", tensor.dtype);
    object.required("extents", tensor.extents);
    object.required("bytes", tensor.bytes);
    object.optional("domain", DomainText{tensor.domain});
    object.optional("mutated", tensor.is_mutated);
    object.finish();
}

/// The value of an attribute, whose JSON has its type.
struct AttributeValue {
    Attribute& attribute;
};

static void read(const JsonPlace& place, const AttributeValue& value) {
    if (!place.value().is_number() && !place.value().is_boolean()) return place.error("expected a number or a boolean");
    value.attribute = attribute_from_json(value.attribute.name, place.value());
    if (value.attribute.type == AttributeType::integer && std::abs(value.attribute.value) > largest_integer_attribute)
        place.error("the integer " + place.value().dump() + " is too large");
}

static void read(const JsonPlace& place, Attribute& attribute) {
    JsonObject object(place);
    object.required("name", attribute.name);
    object.required("value", AttributeValue{attribute});
    object.finish();
}

/// A list of attributes, which `read` of a project's would take for an object.
struct AttributeList {
    std::vector<Attribute>& attributes;
};

static void read(const JsonPlace& place, const AttributeList& list) {
    if (!place.expect_array()) return;
    for (std::size_t i = 0; i < place.size(); ++i) read(place.element(i), list.attributes.emplace_back());
}

static void read(const JsonPlace& place, Argument& argument) {
    JsonObject object(place);
    object.required("kind", argument.kind);
    object.required("index", Within{argument.index, 0, largest_int});
    object.required("name", argument.name);
    object.finish();
}

static void read(const JsonPlace& place, PlannedConstant& copy) {
    JsonObject object(place);
    object.required("constant", copy.constant);
    object.required("input", Within{copy.input, 0, largest_int});
    object.finish();
}

static void read(const JsonPlace& place, PlannedTensorMap& map) {
    JsonObject object(place);
    object.required("output", map.is_output);
    object.required("index", Within{map.index, 0, largest_int});
    object.required("dtype", map.dtype);
    object.required("extents", map.extents);
    object.required("box", map.box);
    object.required("swizzle", Within{map.swizzle, 0, 128});
    object.finish();
    if (map.box.empty() || map.box.size() > 5 || map.box.size() != map.extents.size() ||
        std::ranges::any_of(map.box, [](std::int64_t size) { return size < 1; }) ||
        std::ranges::any_of(map.extents, [](std::int64_t size) { return size < 1; }))
        place.error("a tensor map needs one to five axes, each with an extent and a box of at least 1");
}

static void read(const JsonPlace& place, Region& region) {
    std::vector<std::uint64_t> numbers;
    read(place, numbers);
    if (numbers.size() != 2) return place.error("expected an offset and a number of bytes");
    region = {numbers[0], numbers[1]};
}

/// Three integers, one for each axis of a grid.
template <class T>
struct Axes {
    std::array<T, 3>& values;
    std::int64_t least, most;
};

template <class T>
static void read(const JsonPlace& place, const Axes<T>& axes) {
    if (!place.expect_array()) return;
    if (place.size() != axes.values.size()) return place.error("expected three integers");
    for (std::size_t i = 0; i < axes.values.size(); ++i)
        read(place.element(i), Within{axes.values[i], axes.least, axes.most});
}

static void read(const JsonPlace& place, PlannedLaunch& launch) {
    JsonObject object(place);
    object.required("entry", launch.entry);
    object.required("grid", Axes{launch.grid, 1, largest_int64});
    object.required("order", Axes{launch.order, 0, 2});
    object.required("block", Axes{launch.block, 1, largest_int64});
    object.required("threads", Within{launch.threads, 0, largest_int});
    object.required("shared_bytes", Within{launch.shared_bytes, 0, largest_int64});
    object.required("args", launch.args);
    object.optional("constants", launch.constants);
    object.optional("tensor_maps", launch.tensor_maps);
    object.finish();
}

static void read(const JsonPlace& place, Judging& judges) {
    JsonObject object(place);
    object.required("in_float64", judges.in_float64);
    object.required("noise", judges.noise);
    object.required("ties", Within{judges.ties, -1, 1});
    object.finish();
}

static void read(const JsonPlace& place, CallableRole& role) {
    JsonObject object(place);
    object.required("role", role.role);
    object.required("file", role.file);
    object.required("text", role.text);
    object.required("files", role.files);
    object.required("case", role.binding);
    object.required("signature", role.signature);
    object.finish();
}

static void read(const JsonPlace& place, PythonSource& python) {
    JsonObject object(place);
    object.required("file", python.file);
    object.required("text", python.text);
    object.required("entry", python.entry);
    object.required("configuration", python.configuration);
    object.required("compile", python.compile);
    object.optional("files", python.files);
    object.optional("judges", python.judges);
    object.optional("callable", python.callable);
    object.optional("interface", python.interface);
    object.finish();
}

json to_json(const Call& call) {
    std::vector<std::string> workspace_dtypes;
    for (const DType dtype : call.workspace_dtypes) workspace_dtypes.emplace_back(to_string(dtype));
    return {{"launches", list_of(call.plan.launches, to_json)},
            {"workspace_elements", call.plan.workspace_elements},
            {"workspace_dtypes", workspace_dtypes},
            {"inputs", list_of(call.inputs, to_json)},
            {"outputs", list_of(call.outputs, to_json)},
            {"attributes", list_of(call.attributes, to_json)},
            {"symbols", call.symbols},
            {"free_symbols", call.free_symbols}};
}

void read(const JsonPlace& place, Call& call) {
    JsonObject object(place);
    object.required("launches", call.plan.launches);
    object.required("workspace_elements", call.plan.workspace_elements);
    object.required("workspace_dtypes", call.workspace_dtypes);
    object.required("inputs", call.inputs);
    object.required("outputs", call.outputs);
    object.required("attributes", AttributeList{call.attributes});
    object.required("symbols", call.symbols);
    object.required("free_symbols", call.free_symbols);
    object.finish();
    check_arguments(place, call);
}

json to_json(const Layout& layout) {
    return {{"inputs", list_of(layout.inputs, to_json)},
            {"outputs", list_of(layout.outputs, to_json)},
            {"workspace", list_of(layout.workspace, to_json)},
            {"total", layout.total}};
}

void read(const JsonPlace& place, Layout& layout) {
    JsonObject object(place);
    object.required("inputs", layout.inputs);
    object.required("outputs", layout.outputs);
    object.required("workspace", layout.workspace);
    object.required("total", layout.total);
    object.finish();
    check_regions(place, layout);
}

json to_json(const Artifact& artifact) {
    json object = {{"language", to_string(artifact.language)},
                   {"path", artifact.path},
                   {"library", artifact.library},
                   {"primitive", artifact.primitive}};
    if (!artifact.symbols.empty()) object["symbols"] = artifact.symbols;
    if (runs_in_python(artifact.language)) object["python"] = to_json(artifact.python);
    return object;
}

void read(const JsonPlace& place, Artifact& artifact) {
    JsonObject object(place);
    object.required("language", artifact.language);
    object.required("path", artifact.path);
    object.required("library", artifact.library);
    object.required("primitive", artifact.primitive);
    object.optional("symbols", artifact.symbols);
    object.optional("python", artifact.python);
    object.finish();
}

}  // namespace kernelgen
