// SPDX-License-Identifier: Apache-2.0
#include "core/files/checklist_builder.h"

#include <algorithm>
#include <array>
#include <format>
#include <ranges>
#include <set>

#include "core/base/checklist_sentences.h"
#include "core/base/text.h"
#include "core/lang/free_symbols.h"
#include "core/project/attribute_value.h"

namespace kernelgen {

namespace {

using State = ChecklistCell::State;

std::string line_text(int line) { return "line " + std::to_string(line); }

/// All parameters but `*` and `**`.
std::vector<PythonParameter> named_parameters(const PythonFunction& function) {
    std::vector<PythonParameter> named;
    for (const PythonParameter& each : function.parameters) {
        if (each.kind != PythonParameter::Kind::star && each.kind != PythonParameter::Kind::double_star)
            named.push_back(each);
    }
    return named;
}

/// The parameters that a call by the definition gives: a person's own with defaults do not disturb it.
std::vector<PythonParameter> given_parameters(const PythonFunction& function,
                                              const std::vector<std::string>& expected) {
    std::vector<PythonParameter> given = named_parameters(function);
    for (std::size_t i = given.size(); i-- > 0 && given.size() > expected.size();) {
        if (given[i].default_value && !std::ranges::contains(expected, given[i].name))
            given.erase(given.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return given;
}

bool is_tensor_type(const std::string& annotation) { return annotation.contains("Tensor"); }

/// Whether an annotation is known to be no tensor's type. For a name that the file defines itself this is not known.
bool is_other_type(const std::string& annotation) {
    return std::ranges::contains(std::array{"float", "int", "bool", "str", "complex", "None"}, annotation);
}

/// The number of elements of "tuple[A, B[C, D]]", or nothing of another annotation.
std::optional<std::size_t> elements_of_tuple(const std::string& annotation) {
    const std::size_t open = annotation.find('[');
    if (open == std::string::npos || !annotation.substr(0, open).ends_with("uple")) return std::nullopt;
    std::size_t count = 1;
    int depth = 0;
    for (const char c : annotation.substr(open)) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth == 1) ++count;
    }
    return count;
}

/// The number of tensors that a return annotation promises, or nothing where it does not say.
std::optional<std::size_t> tensors_of(const std::string& annotation) {
    if (annotation.empty() || annotation.contains("...")) return std::nullopt;
    if (is_other_type(annotation)) return 0;
    if (const auto elements = elements_of_tuple(annotation)) return elements;
    return is_tensor_type(annotation) ? std::optional<std::size_t>(1) : std::nullopt;
}

/// Whether a default's text is the attribute's value; nothing where it is no literal.
std::optional<bool> is_value_of(const std::string& text, const Attribute& attribute) {
    const auto value = parse_attribute(attribute.name, text == "True" ? "true" : text == "False" ? "false" : text);
    if (!value) return std::nullopt;
    return value->value == attribute.value;
}

std::set<std::string> checked_inputs(const FileSide& side, const Operator& definition) {
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

ChecklistBuilder::ChecklistBuilder(const Project& project, const std::map<std::string, PythonFile>& files,
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
    kernel_ = side(FileRole::kernel, &wrapper_);
    baseline_ = side(FileRole::baseline, baseline_file_variant(project));
}

const PythonFile* ChecklistBuilder::file_of(FileRole role) const {
    const auto found = files_.find(result_.files[static_cast<std::size_t>(role)]);
    return found == files_.end() ? nullptr : &found->second;
}

FileSide ChecklistBuilder::side(FileRole role, const Variant* variant) const {
    FileSide side{.role = role, .file = {}, .entry = {}};
    if (variant == nullptr) return side;
    side.file = variant->source;
    side.entry = variant->entry;
    side.parsed = file_of(role);
    if (side.parsed != nullptr) side.function = side.parsed->find_function(side.entry);
    return side;
}

ChecklistRow& ChecklistBuilder::row(Aspect aspect) { return result_.rows[static_cast<std::size_t>(aspect)]; }

void ChecklistBuilder::set(Aspect aspect, FileRole role, bool agrees, Said text) {
    row(aspect).at(role) = {agrees ? State::agrees : State::differs, std::move(text)};
}

void ChecklistBuilder::note(Aspect aspect, FileRole role, Said text) {
    row(aspect).at(role) = {State::none, std::move(text)};
}

void ChecklistBuilder::mismatch(const std::string& file, int line, Said message, Said advice) {
    result_.mismatches.push_back({file, line > 0 ? line_text(line) : "", std::move(message), std::move(advice)});
}

/// A file that is missing or no Python differs in its first row, and says nothing else.
void ChecklistBuilder::check_readable(FileRole role) {
    const std::string& file = result_.files[static_cast<std::size_t>(role)];
    if (file.empty()) return;
    const PythonFile* parsed = file_of(role);
    if (parsed == nullptr) {
        set(Aspect::function_name, role, false, "missing");
        mismatch(file, 0, sentences::file_missing, sentences::put_it_back);
    } else if (parsed->error) {
        set(Aspect::function_name, role, false, parsed->error->where + ": " + parsed->error->message);
        result_.mismatches.push_back(*parsed->error);
        result_.mismatches.back().suggestion = sentences::correct_file;
    }
}

void ChecklistBuilder::check_name(const FileSide& side) {
    if (side.parsed == nullptr || side.parsed->error) return;
    if (side.function != nullptr) return set(Aspect::function_name, side.role, true, side.entry);
    std::vector<std::string> names;
    for (const PythonFunction& each : side.parsed->functions) names.push_back(each.name);
    const auto lambda = std::ranges::find(side.parsed->lambdas, side.entry, &PythonImport::name);
    if (lambda != side.parsed->lambdas.end()) {
        mismatch(side.file, lambda->line, say(sentences::is_lambda, side.entry), sentences::write_def);
    } else {
        const Said near = did_you_mean(side.entry, names);
        mismatch(side.file, 0, say(sentences::function_missing, side.entry),
                 near.empty() ? say(sentences::define_it, side.entry, join(expected_, ", ")) : near);
    }
    set(Aspect::function_name, side.role, false,
        names.empty() ? Said(sentences::no_function) : Said(join(names, ", ")));
}

void ChecklistBuilder::check_parameters(const FileSide& side) {
    if (side.function == nullptr) return;
    const std::vector<PythonParameter> parameters = given_parameters(*side.function, expected_);
    const std::vector<std::string> names = names_of(parameters);
    const std::string signature = side.entry + "(" + join(expected_, ", ") + ")";
    const bool count = names.size() == expected_.size();
    set(Aspect::parameter_count, side.role, count, std::to_string(names.size()));
    if (!count) {
        mismatch(side.file, side.function->line,
                 say(sentences::other_count, side.entry, names.size(), join(names, ", "), expected_.size(),
                     join(expected_, ", ")),
                 say(sentences::make_it_or_change, signature));
    }
    const bool same = std::ranges::is_permutation(names, expected_);
    set(Aspect::parameter_names, side.role, same, join(names, ", "));
    if (count && !same) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (std::ranges::contains(expected_, names[i])) continue;
            mismatch(side.file, parameters[i].line, say(sentences::other_name, names[i], side.entry),
                     say(sentences::make_it_or_rename, signature));
        }
    }
    check_kinds(side, parameters);
    check_defaults(side, parameters);
    if (same) check_order(side, names);
}

/// Numbers are passed by name. Tensors may be, too, but generated tests pass them by position.
void ChecklistBuilder::check_kinds(const FileSide& side, const std::vector<PythonParameter>& parameters) {
    using Kind = PythonParameter::Kind;
    for (const PythonParameter& each : parameters) {
        if (!std::ranges::contains(expected_, each.name)) continue;
        const bool is_input = std::ranges::contains(project_.definition.inputs, each.name, &Tensor::name);
        const bool by_name_only = is_input && each.kind == Kind::keyword && has_generated_tests();
        if (!by_name_only && (is_input || each.kind != Kind::positional_only)) continue;
        set(Aspect::parameter_names, side.role, false, each.name);
        mismatch(side.file, each.line,
                 by_name_only ? say(sentences::by_name_only, each.name, side.entry)
                              : say(sentences::by_position_only, each.name, side.entry),
                 sentences::allow_both);
    }
}

/// Checks that parameters have the attributes' default values, on which generated tests rely. Tests that a person wrote
/// may pass what they like.
void ChecklistBuilder::check_defaults(const FileSide& side, const std::vector<PythonParameter>& parameters) {
    if (!has_generated_tests()) return;
    for (const PythonParameter& each : parameters) {
        const auto attribute = std::ranges::find(project_.definition.attributes, each.name, &Attribute::name);
        if (attribute == project_.definition.attributes.end() || !each.default_value) continue;
        if (is_value_of(*each.default_value, *attribute).value_or(true)) continue;
        mismatch(side.file, each.line,
                 say(sentences::other_default, each.name, side.entry, *each.default_value, attribute_text(*attribute)),
                 sentences::fix_default);
    }
}

bool ChecklistBuilder::has_generated_tests() const {
    return std::ranges::any_of(wrapper_.companions, [](const Companion& each) { return !each.generated.empty(); });
}

/// Checks the order of tensors. Generated tests pass them by position, before all other arguments; elsewhere only the
/// order of the tensors themselves counts.
void ChecklistBuilder::check_order(const FileSide& side, const std::vector<std::string>& names) {
    const std::size_t count = project_.definition.inputs.size();
    std::vector<std::string> tensors = names;
    if (has_generated_tests()) tensors.resize(count);
    std::erase_if(tensors, [&](const std::string& name) {
        return !has_generated_tests() && !std::ranges::contains(project_.definition.inputs, name, &Tensor::name);
    });
    const bool ordered = std::ranges::equal(tensors, expected_ | std::views::take(count));
    set(Aspect::parameter_order, side.role, ordered, join(names, ", "));
    if (ordered) return;
    mismatch(side.file, side.function->line,
             say(sentences::other_order, side.entry, join(names, ", "), join(expected_, ", ")),
             sentences::put_in_order);
}

void ChecklistBuilder::check_types(const FileSide& side) {
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
        if (is_input ? !is_other_type(each.annotation) : !is_tensor_type(each.annotation)) continue;
        agrees = false;
        mismatch(side.file, each.line,
                 is_input ? say(sentences::is_tensor, each.name, each.annotation)
                          : say(sentences::is_number, each.name, each.annotation),
                 say(sentences::annotate, is_input ? "torch.Tensor" : type_of_number(each.name)));
    }
    if (stated) set(Aspect::parameter_types, side.role, agrees, join(types, ", "));
    else note(Aspect::parameter_types, side.role, sentences::not_annotated);
}

void ChecklistBuilder::check_return(const FileSide& side) {
    if (side.function == nullptr) return;
    const std::size_t wanted = project_.definition.outputs.size();
    const PythonFunction& function = *side.function;
    const auto promised = tensors_of(function.returns);
    const auto is_wanted = [&](int count) { return count < 0 || count == static_cast<int>(wanted); };
    const bool returns = std::ranges::any_of(function.returned_values, is_wanted);
    const auto other = std::ranges::find_if_not(function.returned_values, is_wanted);
    const bool promises = !promised || *promised == wanted;
    const bool agrees = promises && returns && other == function.returned_values.end();
    const Said text = function.returns.empty() ? Said(sentences::not_annotated) : Said(function.returns);
    if (!agrees) {
        std::vector<std::string> outputs;
        for (const Tensor& each : project_.definition.outputs) outputs.push_back(each.name);
        const std::string names = join(outputs, ", ");
        mismatch(side.file, function.line,
                 !returns    ? say(sentences::no_return, side.entry, names)
                 : !promises ? say(sentences::other_return, side.entry, function.returns, names)
                             : say(sentences::early_return, side.entry, *other, names),
                 wanted == 1 ? sentences::return_one : sentences::return_several);
    }
    if (promised || !agrees) set(Aspect::return_type, side.role, agrees, text);
    else note(Aspect::return_type, side.role, text);
}

std::string_view ChecklistBuilder::type_of_number(const std::string& name) const {
    const auto attribute = std::ranges::find(project_.definition.attributes, name, &Attribute::name);
    return attribute == project_.definition.attributes.end() ? "int" : python_type(attribute->type);
}

/// Whether kernel and baseline check the same inputs: what one refuses, the other should not take.
void ChecklistBuilder::check_input_checks() {
    const auto kernel = checked_inputs(kernel_, project_.definition);
    const auto baseline = checked_inputs(baseline_, project_.definition);
    const bool both = kernel_.function != nullptr && baseline_.function != nullptr;
    const auto fill = [&](const FileSide& side, const std::set<std::string>& own, const std::set<std::string>& other) {
        if (side.function == nullptr) return;
        const std::vector<std::string> names(own.begin(), own.end());
        const std::string text = names.empty() ? "none" : join(names, ", ");
        if (!both || (own.empty() && other.empty())) return note(Aspect::input_checks, side.role, text);
        bool agrees = true;
        for (const std::string& name : other) {
            // A parameter that has another name in this file is left out: the rows about names report it.
            const bool has = std::ranges::contains(side.function->parameters, name, &PythonParameter::name);
            if (own.contains(name) || !has) continue;
            agrees = false;
            mismatch(side.file, side.function->line, say(sentences::unchecked, side.entry, name),
                     say(sentences::check_alike, kernel_.file, baseline_.file));
        }
        set(Aspect::input_checks, side.role, agrees, text);
    };
    fill(kernel_, kernel, baseline);
    fill(baseline_, baseline, kernel);
}

void ChecklistBuilder::state_definition() {
    const Operator& definition = project_.definition;
    const auto state = [&](Aspect aspect, std::string text) { note(aspect, FileRole::definition, std::move(text)); };
    state(Aspect::function_name, wrapper_.entry);
    state(Aspect::parameter_count, std::to_string(expected_.size()));
    state(Aspect::parameter_names, join(expected_, ", "));
    state(Aspect::parameter_order, join(expected_, ", "));
    std::vector<std::string> types(definition.inputs.size(), "torch.Tensor"),
        outputs(definition.outputs.size(), "torch.Tensor");
    types.resize(definition.inputs.size() + free_symbols(definition).size(), "int");
    for (const Attribute& each : definition.attributes) types.emplace_back(python_type(each.type));
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

void ChecklistBuilder::fill() {
    state_definition();
    for (const FileRole role : {FileRole::kernel, FileRole::baseline, FileRole::accuracy, FileRole::performance}) {
        check_readable(role);
    }
    for (const FileSide& side : {kernel_, baseline_}) {
        check_name(side);
        check_parameters(side);
        check_types(side);
        check_return(side);
    }
    check_input_checks();
    check_launches();
    check_tunables();
    check_tests(FileRole::accuracy);
    check_tests(FileRole::performance);
}

std::string tolerance_text(const Tolerance& tolerance) {
    return std::format("rtol {:g}, atol {:g}", tolerance.rtol, tolerance.atol);
}

const Variant* wrapper_variant(const Project& project) {
    if (has_file(project.definition.family)) return nullptr;  // its definition is another such file
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

std::array<std::string, file_role_count> set_of_files(const Project& project) {
    std::array<std::string, file_role_count> files;
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
    ChecklistBuilder(project, files, tests, result).fill();
}

}  // namespace kernelgen
