// SPDX-License-Identifier: Apache-2.0
#include "core/round/change.h"

#include <algorithm>
#include <format>
#include <map>

#include "core/base/text.h"
#include "core/project/attribute_value.h"
#include "core/python/inspection.h"

namespace kernelgen {

namespace {

/// Texts by their names: parts that are compared name by name.
using Named = std::map<std::string, std::string>;

void compare(Part part, const std::string& name, const std::string& before, const std::string& after,
             std::vector<Difference>& differences) {
    if (before == after) return;
    Difference difference{.part = part, .name = name, .before = {}, .after = {}};
    if (!before.empty()) difference.before = before;
    if (!after.empty()) difference.after = after;
    differences.push_back(std::move(difference));
}

void compare(Part part, const Named& before, const Named& after, std::vector<Difference>& differences) {
    Named all = before;
    all.insert(after.begin(), after.end());
    for (const auto& [name, ignored] : all) {
        const auto old_text = before.find(name), new_text = after.find(name);
        compare(part, name, old_text == before.end() ? "" : old_text->second,
                new_text == after.end() ? "" : new_text->second, differences);
    }
}

Named tensors(const std::vector<Tensor>& all) {
    Named result;
    for (const Tensor& tensor : all) {
        const std::string dtype = tensor.dtype ? " " + std::string(to_string(*tensor.dtype)) : "";
        const std::string domain = tensor.domain ? " in " + to_string(*tensor.domain) : "";
        result[tensor.name] = "[" + join(tensor.shape, ", ") + "]" + dtype + domain;
    }
    return result;
}

Named attributes(const Operator& definition) {
    Named result;
    for (const Attribute& attribute : definition.attributes)
        result[attribute.name] =
            attribute.type == AttributeType::boolean ? attribute_text(attribute) : std::format("{}", attribute.value);
    return result;
}

Named configuration(const Implementation& implementation) {
    Named result;
    for (const auto& [name, value] : implementation.configuration) result[name] = std::to_string(value);
    return result;
}

/// "1" for the first of several; a single launch needs no name.
std::string launch_name(const Variant& variant, std::size_t index) {
    return variant.launches.size() == 1 ? "" : std::to_string(index + 1);
}

std::string launch_text(const Launch& launch) {
    std::string text = "grid (" + join(launch.grid, ", ") + ")";
    if (!launch.entry.empty()) text = launch.entry + ": " + text;
    std::vector<std::string> order;
    for (const int axis : launch.order) order.push_back(std::to_string(axis));
    if (!order.empty()) text += ", order (" + join(order, ", ") + ")";
    if (!launch.threads.empty()) text += ", threads " + launch.threads;
    if (!launch.block.empty()) text += ", block (" + join(launch.block, ", ") + ")";
    if (!launch.shared_bytes.empty()) text += ", shared bytes " + launch.shared_bytes;
    return text;
}

Named launches(const Variant& variant) {
    Named result;
    const std::string let = variant.let.empty() ? "" : ", where " + join(variant.let, "; ");
    for (std::size_t i = 0; i < variant.launches.size(); ++i) {
        result[launch_name(variant, i)] = launch_text(variant.launches[i]) + let;
    }
    return result;
}

Named arguments(const Variant& variant) {
    Named result;
    for (std::size_t i = 0; i < variant.launches.size(); ++i) {
        result[launch_name(variant, i)] = join(argument_texts(variant.launches[i]), ", ");
    }
    return result;
}

Named workspace(const Variant& variant) {
    Named result;
    for (const Workspace& each : variant.workspace) {
        result[each.name] = "[" + join(each.shape, ", ") + "] " + std::string(to_string(each.dtype));
    }
    return result;
}

/// The values of the tunables, and the rules that change them, by name.
Named all_configurations(const Implementation& implementation) {
    Named result = configuration(implementation);
    for (const ConfigurationRule& rule : implementation.variant.configurations) {
        std::vector<std::string> values;
        for (const auto& [name, value] : rule.values) values.push_back(name + "=" + std::to_string(value));
        result["when " + rule.when] = join(values, ", ");
    }
    return result;
}

std::string library_text(const Variant& variant) {
    return variant.library.empty() ? "" : variant.library + " " + variant.primitive;
}

std::string entry_text(const Variant& variant) {
    return variant.interface.empty() ? variant.entry : variant.entry + " (" + variant.interface + ")";
}

/// A body with one assignment a line. So a difference shows which part of a body changed that is written on one line.
std::string body_lines(const std::string& body) {
    std::string lines;
    for (const std::string& line : split(body, '\n')) {
        for (const std::string& assignment : split(line, ';')) {
            if (!trim(assignment).empty()) lines += std::string(trim(assignment)) + "\n";
        }
    }
    return lines;
}

void compare_definitions(const Operator& before, const Operator& after, std::vector<Difference>& differences) {
    compare(Part::attribute, attributes(before), attributes(after), differences);
    const auto arithmetic = [](const Operator& definition) {
        std::string text = definition.arithmetic ? std::string(to_string(*definition.arithmetic)) : std::string();
        if (definition.accumulate)
            text +=
                (text.empty() ? "" : ", ") + std::string("sums in ") + std::string(to_string(*definition.accumulate));
        return text;
    };
    compare(Part::arithmetic, "", arithmetic(before), arithmetic(after), differences);
    compare(Part::reference, "", before.reference, after.reference, differences);
    compare(Part::symbol, "", join(before.symbols, ", "), join(after.symbols, ", "), differences);
    compare(Part::input, tensors(before.inputs), tensors(after.inputs), differences);
    compare(Part::output, tensors(before.outputs), tensors(after.outputs), differences);
    compare(Part::constraint, "", join(before.constraints, "; "), join(after.constraints, "; "), differences);
}

void compare_implementations(const Implementation& before, const Implementation& after,
                             std::vector<Difference>& differences) {
    const Variant &old_variant = before.variant, &new_variant = after.variant;
    compare(Part::arguments, arguments(old_variant), arguments(new_variant), differences);
    compare(Part::language, "", std::string(to_string(old_variant.language)),
            std::string(to_string(new_variant.language)), differences);
    compare(Part::library, "", library_text(old_variant), library_text(new_variant), differences);
    compare(Part::source, "", join(old_variant.sources, ", "), join(new_variant.sources, ", "), differences);
    compare(Part::entry, "", entry_text(old_variant), entry_text(new_variant), differences);
    compare(Part::launch, launches(old_variant), launches(new_variant), differences);
    compare(Part::workspace, workspace(old_variant), workspace(new_variant), differences);
    compare(Part::flags, "", join(old_variant.flags, " "), join(new_variant.flags, " "), differences);
    compare(Part::tunable, all_configurations(before), all_configurations(after), differences);
}

/// The sources' difference. Literals that are values of tunables are told as such: of Python functions that differ,
/// both are held at one configuration, where they have it.
std::string source_difference(const Implementation& before, const Implementation& after) {
    if (before.text == after.text) return {};
    const Validated<std::string> old_text = in_configuration(before.variant, before.text, after.configuration);
    const Validated<std::string> new_text = in_configuration(after.variant, after.text, after.configuration);
    return old_text && new_text ? unified_diff(*old_text, *new_text) : unified_diff(before.text, after.text);
}

/// A file that exists on one side only is shown completely.
std::map<std::string, std::string> file_differences(const SourceFiles& before, const SourceFiles& after) {
    SourceFiles all = before;
    all.insert(after.begin(), after.end());
    const auto text_in = [](const SourceFiles& files, const std::string& file) {
        const auto found = files.find(file);
        return found == files.end() ? std::string() : found->second;
    };
    std::map<std::string, std::string> differences;
    for (const auto& [file, ignored] : all) {
        std::string difference = unified_diff(text_in(before, file), text_in(after, file));
        if (!difference.empty()) differences[file] = std::move(difference);
    }
    return differences;
}

}  // namespace

ChangeKind kind_of_change(Part part) {
    if (part >= Part::body) return ChangeKind::logic;
    if (part >= Part::symbol) return ChangeKind::interface;
    return part >= Part::language ? ChangeKind::implementation : ChangeKind::tunables;
}

Change change_between(const Operator& before_definition, const Implementation& before, const Operator& after_definition,
                      const Implementation& after) {
    Change change;
    compare_definitions(before_definition, after_definition, change.differences);
    compare_implementations(before, after, change.differences);
    change.body_difference = unified_diff(body_lines(before_definition.body), body_lines(after_definition.body));
    change.source_difference = source_difference(before, after);
    change.file_differences = file_differences(before.files, after.files);
    for (const Difference& difference : change.differences) {
        change.kind = std::max(change.kind, kind_of_change(difference.part));
    }
    if (!change.source_difference.empty() || !change.file_differences.empty())
        change.kind = std::max(change.kind, kind_of_change(Part::source));
    if (!change.body_difference.empty()) change.kind = std::max(change.kind, kind_of_change(Part::body));
    return change;
}

}  // namespace kernelgen
