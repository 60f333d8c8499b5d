// SPDX-License-Identifier: Apache-2.0
#include "core/backend/call.h"

#include <nlohmann/json.hpp>

#include "core/lang/free_symbols.h"
#include "core/project/attribute_value.h"

namespace kernelgen {

using nlohmann::json;

namespace {

Result<BoundTensor> bind(const Tensor& tensor, const Case& binding) {
    BoundTensor bound{tensor.name, dtype_of(tensor, binding), extents(tensor, binding.sizes), 0, tensor.domain};
    const auto elements = element_count(tensor, binding.sizes);
    std::int64_t bytes = 0;
    if (!elements || __builtin_mul_overflow(*elements, static_cast<std::int64_t>(size_of(bound.dtype)), &bytes)) {
        return fail("`" + tensor.name + "` has more than 2^63 bytes in case `" + binding.name + "`");
    }
    if (*elements < 1) return fail("`" + tensor.name + "` is empty in case `" + binding.name + "`");
    bound.bytes = static_cast<std::size_t>(bytes);
    return bound;
}

Result<std::vector<BoundTensor>> bind_all(const std::vector<Tensor>& tensors, const Case& binding) {
    std::vector<BoundTensor> all;
    for (const Tensor& tensor : tensors) {
        Result<BoundTensor> bound = bind(tensor, binding);
        if (!bound) return std::unexpected(bound.error());
        all.push_back(std::move(*bound));
    }
    return all;
}

json to_json(const BoundTensor& tensor) {
    json result = {{"name", tensor.name},
                   {"dtype", to_string(tensor.dtype)},
                   {"extents", tensor.extents},
                   {"bytes", tensor.bytes}};
    if (tensor.domain) result["domain"] = to_string(*tensor.domain);
    return result;
}

DType dtype_from_json(const json& name) { return parse_dtype(name.get<std::string>()).value(); }

std::vector<BoundTensor> tensors_from_json(const json& list) {
    std::vector<BoundTensor> tensors;
    for (const json& each : list) {
        tensors.push_back({each.at("name"), dtype_from_json(each.at("dtype")),
                           each.at("extents").get<std::vector<std::int64_t>>(), each.at("bytes"),
                           parse_domain(each.value("domain", ""))});
    }
    return tensors;
}

json to_json(const std::vector<BoundTensor>& tensors) {
    json list = json::array();
    for (const BoundTensor& tensor : tensors) list.push_back(to_json(tensor));
    return list;
}

json to_json(const std::vector<Attribute>& attributes) {
    json list = json::array();
    for (const Attribute& each : attributes) list.push_back({{"name", each.name}, {"value", attribute_json(each)}});
    return list;
}

json to_json(const PlannedLaunch& launch) {
    json args = json::array();
    for (const Argument& argument : launch.args) {
        args.push_back({{"kind", static_cast<int>(argument.kind)}, {"index", argument.index}, {"name", argument.name}});
    }
    return {{"entry", launch.entry}, {"grid", launch.grid},       {"order", launch.order},
            {"block", launch.block}, {"threads", launch.threads}, {"shared_bytes", launch.shared_bytes},
            {"args", args}};
}

PlannedLaunch launch_from_json(const json& object) {
    PlannedLaunch launch;
    launch.entry = object.at("entry");
    launch.grid = object.at("grid");
    launch.order = object.at("order");
    launch.block = object.at("block");
    launch.threads = object.at("threads");
    launch.shared_bytes = object.at("shared_bytes");
    for (const json& each : object.at("args")) {
        launch.args.push_back(
            {static_cast<Argument::Kind>(each.at("kind").get<int>()), each.at("index"), each.at("name")});
    }
    return launch;
}

json to_json(const std::vector<Region>& regions) {
    json list = json::array();
    for (const Region& region : regions) list.push_back({region.offset, region.bytes});
    return list;
}

std::vector<Region> regions_from_json(const json& list) {
    std::vector<Region> regions;
    for (const json& each : list) regions.push_back({each.at(0), each.at(1)});
    return regions;
}

}  // namespace

Result<Call> make_call(const Operator& definition, const Implementation& implementation, const Case& binding) {
    Call call;
    Result<LaunchPlan> plan = plan_launches(definition, implementation, binding.sizes);
    if (!plan) return std::unexpected(plan.error());
    call.plan = std::move(*plan);
    Result<std::vector<BoundTensor>> inputs = bind_all(definition.inputs, binding);
    if (!inputs) return std::unexpected(inputs.error());
    call.inputs = std::move(*inputs);
    Result<std::vector<BoundTensor>> outputs = bind_all(definition.outputs, binding);
    if (!outputs) return std::unexpected(outputs.error());
    call.outputs = std::move(*outputs);
    for (const Workspace& workspace : implementation.variant.workspace)
        call.workspace_dtypes.push_back(workspace.dtype);
    call.attributes = definition.attributes;
    for (const std::string& symbol : definition.symbols) call.symbols.push_back(binding.sizes.at(symbol));
    for (const std::string& symbol : free_symbols(definition)) call.free_symbols[symbol] = binding.sizes.at(symbol);
    return call;
}

Layout lay_out(const Call& call) {
    std::vector<std::size_t> inputs, outputs, workspace;
    for (const BoundTensor& tensor : call.inputs) inputs.push_back(tensor.bytes);
    for (const BoundTensor& tensor : call.outputs) outputs.push_back(tensor.bytes);
    for (std::size_t i = 0; i < call.workspace_dtypes.size(); ++i) {
        workspace.push_back(static_cast<std::size_t>(call.plan.workspace_elements[i]) *
                            size_of(call.workspace_dtypes[i]));
    }
    return lay_out(inputs, outputs, workspace);
}

json to_json(const Call& call) {
    json launches = json::array();
    for (const PlannedLaunch& launch : call.plan.launches) launches.push_back(to_json(launch));
    std::vector<std::string> workspace_dtypes;
    for (const DType dtype : call.workspace_dtypes) workspace_dtypes.emplace_back(to_string(dtype));
    return {{"launches", launches},
            {"workspace_elements", call.plan.workspace_elements},
            {"workspace_dtypes", workspace_dtypes},
            {"inputs", to_json(call.inputs)},
            {"outputs", to_json(call.outputs)},
            {"attributes", to_json(call.attributes)},
            {"symbols", call.symbols},
            {"free_symbols", call.free_symbols}};
}

Call call_from_json(const json& object) {
    Call call;
    for (const json& launch : object.at("launches")) call.plan.launches.push_back(launch_from_json(launch));
    call.plan.workspace_elements = object.at("workspace_elements").get<std::vector<std::int64_t>>();
    for (const json& name : object.at("workspace_dtypes")) call.workspace_dtypes.push_back(dtype_from_json(name));
    call.inputs = tensors_from_json(object.at("inputs"));
    call.outputs = tensors_from_json(object.at("outputs"));
    for (const json& each : object.at("attributes"))
        call.attributes.push_back(attribute_from_json(each.at("name"), each.at("value")));
    call.symbols = object.at("symbols").get<std::vector<std::int64_t>>();
    call.free_symbols = object.at("free_symbols").get<std::map<std::string, std::int64_t>>();
    return call;
}

json to_json(const Layout& layout) {
    return {{"inputs", to_json(layout.inputs)},
            {"outputs", to_json(layout.outputs)},
            {"workspace", to_json(layout.workspace)},
            {"total", layout.total}};
}

Layout layout_from_json(const json& object) {
    return {regions_from_json(object.at("inputs")), regions_from_json(object.at("outputs")),
            regions_from_json(object.at("workspace")), object.at("total")};
}

json to_json(const Artifact& artifact) {
    json object = {{"language", to_string(artifact.language)},
                   {"path", artifact.path},
                   {"library", artifact.library},
                   {"primitive", artifact.primitive}};
    const PythonSource& python = artifact.python;
    if (is_python(artifact.language)) {
        object["python"] = {{"file", python.file},       {"text", python.text},
                            {"entry", python.entry},     {"configuration", python.configuration},
                            {"compile", python.compile}, {"files", python.files}};
        const Judging& judges = python.judges;
        if (judges != Judging{}) {
            object["python"]["judges"] = {
                {"in_float64", judges.in_float64}, {"noise", judges.noise}, {"ties", judges.ties}};
        }
    }
    return object;
}

Artifact artifact_from_json(const json& object) {
    Artifact artifact{parse_language(object.at("language").get<std::string>()).value(),
                      object.at("path"),
                      object.at("library"),
                      object.at("primitive"),
                      {}};
    if (!object.contains("python")) return artifact;
    const json& python = object.at("python");
    artifact.python = {python.at("file"), python.at("text"), python.at("entry"),
                       python.at("configuration").get<Configuration>(), python.at("compile")};
    if (python.contains("files")) artifact.python.files = python.at("files").get<SourceFiles>();
    if (python.contains("judges")) {
        const json& judges = python.at("judges");
        artifact.python.judges = {judges.at("in_float64"), judges.at("noise"), judges.at("ties")};
    }
    return artifact;
}

}  // namespace kernelgen
