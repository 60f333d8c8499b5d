// SPDX-License-Identifier: Apache-2.0
#include "core/engine/checklist_builder.h"

#include <algorithm>
#include <format>
#include <set>

#include "core/base/checklist_sentences.h"
#include "core/base/text.h"
#include "core/lang/free_symbols.h"

namespace kernelgen {

namespace {

using State = ChecklistCell::State;

std::string line_text(int line) { return "line " + std::to_string(line); }

/// What a caller that passes inputs in order and attributes by name can pass; further ones with a default are allowed.
std::vector<PythonParameter> named_parameters(const PythonFunction& function) {
    std::vector<PythonParameter> named;
    for (const PythonParameter& each : function.parameters) {
        if (each.kind == PythonParameter::Kind::positional || each.kind == PythonParameter::Kind::keyword) {
            named.push_back(each);
        }
    }
    return named;
}

std::vector<std::string> names_of(const std::vector<PythonParameter>& parameters) {
    std::vector<std::string> names;
    for (const PythonParameter& each : parameters) names.push_back(each.name);
    return names;
}

bool is_tensor_type(const std::string& annotation) { return annotation.contains("Tensor"); }

/// The number of tensors that a return annotation promises, or nothing where it does not say.
std::optional<std::size_t> tensors_of(const std::string& annotation) {
    if (annotation.empty() || annotation.contains("...")) return std::nullopt;
    std::size_t count = 0;
    for (std::size_t at = annotation.find("Tensor"); at != std::string::npos; at = annotation.find("Tensor", at + 1)) {
        ++count;
    }
    return count;
}

std::set<std::string> checked_inputs(const Side& side, const Operator& definition) {
    std::set<std::string> checked;
    if (side.function == nullptr) return checked;
    for (const PythonCheck& check : side.function->checks) {
        for (const std::string& name : check.parameters) {
            if (std::ranges::contains(definition.inputs, name, &Tensor::name)) checked.insert(name);
        }
    }
    return checked;
}

}  // namespace

Checklist::Checklist(const Project& project, const std::map<std::string, PythonFile>& files,
                     const std::map<std::string, PythonTests>& tests, Consistency& result)
    : project_(project),
      wrapper_(*wrapper_variant(project)),
      files_(files),
      tests_(tests),
      result_(result),
      expected_(python_parameters(project.definition)) {
    for (int i = 0; i <= static_cast<int>(Aspect::cases); ++i) {
        result_.rows.push_back({static_cast<Aspect>(i), {}});
    }
    kernel_ = side(Artefact::kernel, &wrapper_);
    baseline_ = side(Artefact::baseline, baseline_file_variant(project));
}

const PythonFile* Checklist::file_of(Artefact artefact) const {
    const auto found = files_.find(result_.files[static_cast<std::size_t>(artefact)]);
    return found == files_.end() ? nullptr : &found->second;
}

Side Checklist::side(Artefact artefact, const Variant* variant) const {
    Side side{.artefact = artefact, .file = {}, .entry = {}};
    if (variant == nullptr) return side;
    side.file = variant->source;
    side.entry = variant->entry;
    side.parsed = file_of(artefact);
    if (side.parsed != nullptr) side.function = side.parsed->find_function(side.entry);
    return side;
}

ChecklistRow& Checklist::row(Aspect aspect) { return result_.rows[static_cast<std::size_t>(aspect)]; }

void Checklist::set(Aspect aspect, Artefact artefact, bool agrees, std::string text) {
    row(aspect).at(artefact) = {agrees ? State::agrees : State::differs, std::move(text)};
}

void Checklist::note(Aspect aspect, Artefact artefact, std::string text) {
    row(aspect).at(artefact) = {State::none, std::move(text)};
}

void Checklist::mismatch(const std::string& file, int line, std::string message, std::string_view advice) {
    result_.mismatches.push_back({file, line > 0 ? line_text(line) : "", std::move(message), std::string(advice)});
}

/// A file that is missing or no Python differs in its first row, and says nothing else.
void Checklist::check_readable(Artefact artefact) {
    const std::string& file = result_.files[static_cast<std::size_t>(artefact)];
    if (file.empty()) return;
    const PythonFile* parsed = file_of(artefact);
    if (parsed == nullptr) {
        set(Aspect::function_name, artefact, false, "missing");
        mismatch(file, 0, std::string(sentences::file_missing), sentences::put_it_back);
    } else if (parsed->error) {
        set(Aspect::function_name, artefact, false, parsed->error->where + ": " + parsed->error->message);
        result_.mismatches.push_back(*parsed->error);
        result_.mismatches.back().suggestion = sentences::correct_file;
    }
}

void Checklist::check_name(const Side& side) {
    if (side.parsed == nullptr || side.parsed->error) return;
    if (side.function != nullptr) return set(Aspect::function_name, side.artefact, true, side.entry);
    std::vector<std::string> names;
    for (const PythonFunction& each : side.parsed->functions) names.push_back(each.name);
    const auto lambda = std::ranges::find(side.parsed->lambdas, side.entry, &PythonImport::name);
    if (lambda != side.parsed->lambdas.end()) {
        mismatch(side.file, lambda->line, std::format(sentences::is_lambda, side.entry), sentences::write_def);
    } else {
        const std::string near = did_you_mean(side.entry, names);
        mismatch(side.file, 0, std::format(sentences::function_missing, side.entry),
                 near.empty() ? std::format(sentences::define_it, side.entry, join(expected_, ", ")) : near);
    }
    set(Aspect::function_name, side.artefact, false,
        names.empty() ? std::string(sentences::no_function) : join(names, ", "));
}

void Checklist::check_parameters(const Side& side) {
    if (side.function == nullptr) return;
    std::vector<PythonParameter> parameters = named_parameters(*side.function);
    // Parameters of a person's own with defaults do not disturb a call.
    while (parameters.size() > expected_.size() && parameters.back().default_value) parameters.pop_back();
    const std::vector<std::string> names = names_of(parameters);
    const std::string signature = side.entry + "(" + join(expected_, ", ") + ")";
    const bool count = names.size() == expected_.size();
    set(Aspect::parameter_count, side.artefact, count, std::to_string(names.size()));
    if (!count) {
        mismatch(side.file, side.function->line,
                 std::format(sentences::other_count, side.entry, names.size(), join(names, ", "), expected_.size(),
                             join(expected_, ", ")),
                 std::format(sentences::make_it_or_change, signature));
    }
    const bool same = std::ranges::is_permutation(names, expected_);
    set(Aspect::parameter_names, side.artefact, same, join(names, ", "));
    if (count && !same) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (std::ranges::contains(expected_, names[i])) continue;
            mismatch(side.file, parameters[i].line, std::format(sentences::other_name, names[i], side.entry),
                     std::format(sentences::make_it_or_rename, signature));
        }
    }
    if (same) check_order(side, names);
}

void Checklist::check_order(const Side& side, const std::vector<std::string>& names) {
    const bool ordered = names == expected_;
    set(Aspect::parameter_order, side.artefact, ordered, join(names, ", "));
    if (ordered) return;
    mismatch(side.file, side.function->line,
             std::format(sentences::other_order, side.entry, join(names, ", "), join(expected_, ", ")),
             sentences::put_in_order);
}

void Checklist::check_types(const Side& side) {
    if (side.function == nullptr) return;
    const auto& inputs = project_.definition.inputs;
    std::vector<std::string> types;
    bool agrees = true, stated = false;
    for (const PythonParameter& each : named_parameters(*side.function)) {
        if (!std::ranges::contains(expected_, each.name)) continue;
        types.push_back(each.annotation.empty() ? "?" : each.annotation);
        if (each.annotation.empty()) continue;
        stated = true;
        const bool is_input = std::ranges::contains(inputs, each.name, &Tensor::name);
        if (is_tensor_type(each.annotation) == is_input) continue;
        agrees = false;
        mismatch(side.file, each.line,
                 is_input ? std::format(sentences::is_tensor, each.name, each.annotation)
                          : std::format(sentences::is_number, each.name, each.annotation),
                 std::format(sentences::annotate, is_input ? "torch.Tensor" : "float"));
    }
    if (stated) set(Aspect::parameter_types, side.artefact, agrees, join(types, ", "));
    else note(Aspect::parameter_types, side.artefact, std::string(sentences::not_annotated));
}

void Checklist::check_return(const Side& side) {
    if (side.function == nullptr) return;
    const std::size_t wanted = project_.definition.outputs.size();
    const PythonFunction& function = *side.function;
    const auto promised = tensors_of(function.returns);
    const bool returns = std::ranges::any_of(function.returned_values, [&](int count) {
        return count == static_cast<int>(wanted) || (count == 1 && wanted > 1);  // a variable may hold a tuple
    });
    const bool agrees = (!promised || *promised == wanted) && returns;
    std::string text = function.returns.empty() ? std::string(sentences::not_annotated) : function.returns;
    if (!agrees) {
        std::vector<std::string> outputs;
        for (const Tensor& each : project_.definition.outputs) outputs.push_back(each.name);
        mismatch(side.file, function.line,
                 returns ? std::format(sentences::other_return, side.entry, function.returns, join(outputs, ", "))
                         : std::format(sentences::no_return, side.entry, join(outputs, ", ")),
                 wanted == 1 ? sentences::return_one : sentences::return_several);
    }
    if (promised || !agrees) set(Aspect::return_type, side.artefact, agrees, text);
    else note(Aspect::return_type, side.artefact, text);
}

/// Whether kernel and baseline check the same inputs: what one refuses, the other should not take.
void Checklist::check_input_checks() {
    const auto kernel = checked_inputs(kernel_, project_.definition);
    const auto baseline = checked_inputs(baseline_, project_.definition);
    const bool both = kernel_.function != nullptr && baseline_.function != nullptr;
    const auto fill = [&](const Side& side, const std::set<std::string>& own, const std::set<std::string>& other) {
        if (side.function == nullptr) return;
        const std::vector<std::string> names(own.begin(), own.end());
        const std::string text = names.empty() ? "none" : join(names, ", ");
        if (!both || (own.empty() && other.empty())) return note(Aspect::input_checks, side.artefact, text);
        bool agrees = true;
        for (const std::string& name : other) {
            // What has another name is said of the names already.
            const bool has = std::ranges::contains(side.function->parameters, name, &PythonParameter::name);
            if (own.contains(name) || !has) continue;
            agrees = false;
            mismatch(side.file, side.function->line, std::format(sentences::unchecked, side.entry, name),
                     std::format(sentences::check_alike, kernel_.file, baseline_.file));
        }
        set(Aspect::input_checks, side.artefact, agrees, text);
    };
    fill(kernel_, kernel, baseline);
    fill(baseline_, baseline, kernel);
}

void Checklist::state_definition() {
    const Operator& definition = project_.definition;
    const auto state = [&](Aspect aspect, std::string text) { note(aspect, Artefact::definition, std::move(text)); };
    state(Aspect::function_name, wrapper_.entry);
    state(Aspect::parameter_count, std::to_string(expected_.size()));
    state(Aspect::parameter_names, join(expected_, ", "));
    state(Aspect::parameter_order, join(expected_, ", "));
    std::vector<std::string> types(definition.inputs.size(), "torch.Tensor"),
        outputs(definition.outputs.size(), "torch.Tensor");
    types.resize(definition.inputs.size() + free_symbols(definition).size(), "int");
    types.resize(expected_.size(), "float");
    state(Aspect::parameter_types, join(types, ", "));
    state(Aspect::return_type, outputs.size() == 1 ? outputs[0] : "tuple[" + join(outputs, ", ") + "]");
    std::vector<std::string> tunables, cases;
    for (const Tunable& each : wrapper_.tunables) tunables.push_back(std::format("{}={}", each.name, each.value));
    state(Aspect::tunables, join(tunables, " "));
    const auto& f32 = project_.accuracy.f32;
    state(Aspect::tolerances, f32 ? tolerance_text(*f32) : "default");
    for (const Case& each : project_.cases) cases.push_back(each.name);
    state(Aspect::cases, join(cases, ", "));
}

void Checklist::fill() {
    state_definition();
    for (const Artefact artefact : {Artefact::kernel, Artefact::baseline, Artefact::accuracy, Artefact::performance}) {
        check_readable(artefact);
    }
    for (const Side& side : {kernel_, baseline_}) {
        check_name(side);
        check_parameters(side);
        check_types(side);
        check_return(side);
    }
    check_input_checks();
    check_launches();
    check_tunables();
    check_tests(Artefact::accuracy);
    check_tests(Artefact::performance);
}

std::string tolerance_text(const Tolerance& tolerance) {
    return std::format("rtol {:g}, atol {:g}", tolerance.rtol, tolerance.atol);
}

const Variant* wrapper_variant(const Project& project) {
    const auto found = std::ranges::find_if(project.variants, [](const Variant& each) {
        return each.language == Language::triton && each.launches.empty();
    });
    return found == project.variants.end() ? nullptr : &*found;
}

const Variant* baseline_file_variant(const Project& project) {
    const Variant* reference = project.find_variant(project.definition.reference);
    if (reference != nullptr && reference->language == Language::torch) return reference;
    const auto found = std::ranges::find_if(
        project.variants, [](const Variant& each) { return each.language == Language::torch && !each.compile; });
    return found == project.variants.end() ? nullptr : &*found;
}

const Companion* find_companion(const Variant& variant, std::string_view kind) {
    const auto found = std::ranges::find(variant.companions, kind, &Companion::kind);
    return found == variant.companions.end() ? nullptr : &*found;
}

std::array<std::string, artefact_count> set_of_files(const Project& project) {
    std::array<std::string, artefact_count> files;
    const Variant* wrapper = wrapper_variant(project);
    if (wrapper == nullptr) return files;
    const Variant* baseline = baseline_file_variant(project);
    const Companion *accuracy = find_companion(*wrapper, "accuracy"),
                    *performance = find_companion(*wrapper, "performance");
    return {"project.json", wrapper->source, baseline ? baseline->source : "", accuracy ? accuracy->source : "",
            performance ? performance->source : ""};
}

std::vector<std::string> python_parameters(const Operator& definition) {
    std::vector<std::string> names;
    for (const Tensor& input : definition.inputs) names.push_back(input.name);
    for (const std::string& symbol : free_symbols(definition)) names.push_back(symbol);
    for (const Attribute& attribute : definition.attributes) names.push_back(attribute.name);
    return names;
}

void fill_checklist(const Project& project, const std::map<std::string, PythonFile>& files,
                    const std::map<std::string, PythonTests>& tests, Consistency& result) {
    Checklist(project, files, tests, result).fill();
}

}  // namespace kernelgen
