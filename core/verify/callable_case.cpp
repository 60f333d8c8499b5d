// SPDX-License-Identifier: Apache-2.0
#include "core/verify/callable_case.h"

#include <format>
#include <nlohmann/json.hpp>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/project/project_file.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::size_t most_tensors = 1000;

std::string case_text(const Case& binding) {
    return json({{"name", binding.name}, {"dtype", to_string(binding.dtype)}, {"sizes", binding.sizes}}).dump();
}

/// "batch_size = 7, dim = 32"
std::string sizes_text(const Sizes& sizes) {
    std::string text;
    for (const auto& [name, size] : sizes) text += std::format("{}{} = {}", text.empty() ? "" : ", ", name, size);
    return text;
}

std::vector<std::string> shape_of(const json& extents) {
    std::vector<std::string> shape;
    for (const std::int64_t extent : extents.get<std::vector<std::int64_t>>()) shape.push_back(std::to_string(extent));
    return shape;
}

/// Throws std::exception where a name is no dtype.
DType dtype_named(const json& name) { return parse_dtype(name.get<std::string>()).value(); }

std::vector<Tensor> inputs_of(const json& signature) {
    std::vector<Tensor> inputs;
    for (const json& each : signature.at("storages")) {
        const auto elements = each.at("elements").get<std::int64_t>();
        inputs.push_back({each.at("name"), {std::to_string(elements)}, dtype_named(each.at("dtype"))});
    }
    for (const json& leaf : signature.at("mutated")) {
        const std::size_t storage = signature.at("leaves").at(leaf.get<std::size_t>()).at(0);
        inputs.at(storage).is_mutated = true;
    }
    for (const json& storage : signature.at("linked")) inputs.at(storage.get<std::size_t>()).is_linked = true;
    return inputs;
}

/// What the definition says of its inputs, which makes a verification say less.
std::vector<Said> remarks_on_inputs(const json& signature) {
    const auto names = [&](const char* key) {
        std::string text;
        for (const json& each : signature.at(key)) {
            const json& storage = signature.at("storages").at(each.get<std::size_t>());
            text += std::format("{}`{}`", text.empty() ? "" : ", ", storage.at("name").get<std::string>());
        }
        return text;
    };
    std::vector<Said> remarks;
    if (const std::string linked = names("linked"); !linked.empty())
        remarks.push_back(say(sentences::inputs_linked, linked));
    if (const std::string constant = names("constant"); !constant.empty())
        remarks.push_back(say(sentences::inputs_constant, constant));
    return remarks;
}

HeldBits bits_of(const json& output) {
    const std::string dtype = output.at("torch_dtype");
    const bool is_held = (dtype.contains("int") && dtype != "int32" && dtype != "int8") || dtype == "bool";
    if (!is_held) return {};
    const json& extents = output.at("extents");
    return {dtype, extents.size() > output.at("shape").size() ? extents.back().get<int>() : 1};
}

/// An output in the case's dtype has none of its own, so that the reference can have it in float64.
std::vector<Tensor> outputs_of(const json& signature, DType of_case) {
    std::vector<Tensor> outputs;
    for (const json& each : signature.at("outputs")) {
        const DType dtype = dtype_named(each.at("dtype"));
        outputs.push_back(
            {each.at("name"), shape_of(each.at("extents")), dtype == of_case ? std::nullopt : std::optional(dtype)});
        outputs.back().bits = bits_of(each);
    }
    return outputs;
}

/// Throws std::exception where the answer is not what describes a case.
CallableCase read_signature(const std::string& text, const Operator& definition, const Case& binding,
                            const CallableRole& asked) {
    const json signature = json::parse(text);
    CallableCase found{definition, asked, std::nullopt, remarks_on_inputs(signature)};
    found.role.role = "side";
    found.role.signature = text;
    found.only_cases = signature.at("only_cases");
    found.definition.symbols.clear();
    found.definition.constraints.clear();
    found.definition.inputs = inputs_of(signature);
    found.definition.outputs = outputs_of(signature, binding.dtype);
    if (found.definition.inputs.size() > most_tensors || found.definition.outputs.size() > most_tensors)
        throw std::length_error("too many tensors");
    if (const json& tolerance = signature.at("tolerance"); !tolerance.is_null()) {
        Validated<Accuracy> accuracy = accuracy_from_json(tolerance);
        if (!accuracy) throw std::invalid_argument("`tolerance`: " + to_string(accuracy.error()));
        found.tolerance = std::move(*accuracy);
    }
    return found;
}

CallableRole role_of(const Implementation& definition, const DefinitionQuestion& question, const Case& binding) {
    return {question.role,    definition.variant.source, definition.text,
            definition.files, case_text(binding),        question.asked};
}

Outcome unusable(const Said& reason, Status status = Status::unavailable) {
    return {status, say("the definition cannot be used: {}", reason)};
}

}  // namespace

Implementation CallableCase::side(Implementation implementation) const {
    implementation.callable = role;
    return implementation;
}

Artifact artifact_of_definition(const Implementation& definition) {
    Artifact artifact;
    artifact.language = Language::torch;
    artifact.python.file = definition.variant.source;
    artifact.python.text = definition.text;
    artifact.python.files = definition.files;
    artifact.python.callable = definition.callable;
    return artifact;
}

Accuracy accuracy_of(const Accuracy& project, const CallableCase& found) {
    return project == Accuracy{} ? found.tolerance.value_or(project) : project;
}

Outcome ask_definition(const Implementation& definition, const DefinitionQuestion& question, const Case& binding,
                       Backend& backend, const std::string& device, double timeout_seconds, std::stop_token stop,
                       TrialReport& report) {
    Result<std::shared_ptr<Executor>> executor = backend.start_executor(device, use_for_judge(definition), stop);
    if (!executor) return {stop.stop_requested() ? Status::cancelled : Status::unavailable, executor.error().message};
    (*executor)->set_limit(timeout_seconds, stop);
    Implementation asked = definition;
    asked.callable = role_of(definition, question, binding);
    return (*executor)->try_out(0, artifact_of_definition(asked), Call{}, report);
}

Outcome describe_case(const Operator& definition, const std::optional<Implementation>& reference, const Case& binding,
                      Backend& backend, const std::string& device, double timeout_seconds, std::stop_token stop,
                      CallableCase& found) {
    if (!reference) return unusable(say("the request has no text of `{}`", definition.file), Status::build_failed);
    TrialReport trial;
    const Outcome tried =
        ask_definition(*reference, {"describe", ""}, binding, backend, device, timeout_seconds, std::move(stop), trial);
    if (tried.status == Status::cancelled) return tried;
    if (!tried.ok()) return unusable(tried.reason, tried.status);
    try {
        found = read_signature(trial.texts["signature"], definition, binding, role_of(*reference, {}, binding));
    } catch (const std::exception& error) {
        return unusable(say("what describes the case is not readable: {}", error.what()));
    }
    return {};
}

std::vector<SizedCase> other_sizes(const Operator& definition, const Implementation& reference, const Case& own,
                                   Backend& backend, const std::string& device, double timeout_seconds,
                                   std::stop_token stop) {
    TrialReport trial;
    const Outcome asked =
        ask_definition(reference, {"sizes", ""}, own, backend, device, timeout_seconds, std::move(stop), trial);
    if (!asked.ok()) return {};
    std::vector<SizedCase> found;
    try {
        for (const json& each : json::parse(trial.texts["sizes"])) {
            Case binding{own.name, own.dtype, each.at("sizes").get<Sizes>()};
            CallableCase described =
                read_signature(each.at("signature"), definition, binding, role_of(reference, {}, binding));
            binding.name = sizes_text(binding.sizes);
            found.push_back({std::move(binding), std::move(described)});
        }
    } catch (const std::exception&) {
        return {};  // a file that changes what is answered has no other sizes
    }
    return found;
}

}  // namespace kernelgen
