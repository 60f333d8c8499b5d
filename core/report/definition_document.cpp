// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/lang/attention.h"
#include "core/project/attribute_value.h"
#include "core/report/definition_sections.h"
#include "core/report/markdown.h"
#include "core/verify/tolerance.h"

namespace kernelgen {

namespace {

std::string tensor_list(const std::vector<Tensor>& tensors, const Phrases& say) {
    std::vector<std::string> all;
    for (const Tensor& tensor : tensors) {
        const std::string dtype = tensor.dtype ? " " + std::string(to_string(*tensor.dtype)) : "";
        all.push_back(tensor.name + ": " + shape_phrase(tensor, say) + dtype);
    }
    return join(all, ", ");
}

std::string signature_text(const Operator& definition, const Phrases& say) {
    return definition.name + "(" + tensor_list(definition.inputs, say) + ") -> (" +
           tensor_list(definition.outputs, say) + ")";
}

std::string requirement_text(const Operator& definition, const Phrases& say) {
    const std::string& description = definition.description;
    std::string text = heading(3, say(Text::requirement));
    text += paragraph(description.empty() ? say(Text::requirement_missing) : as_prose(description));
    if (has_file(definition.family)) return text + paragraph(say(Text::definition_file, in_code(definition.file)));
    text += paragraph(say(Text::signature)) + fenced("text", signature_text(definition, say));
    if (definition.body.empty()) {
        return text + paragraph(say(Text::formula_custom, as_prose(to_string(definition.family)),
                                    as_prose(definition.reference)));
    }
    return text + paragraph(say(Text::formula)) + fenced("text", definition.body);
}

std::string attributes_phrase(const Operator& definition, const Phrases& say) {
    std::vector<std::string> all;
    for (const Attribute& each : definition.attributes)
        all.push_back(in_code(each.name + " = " + attribute_text(each)));
    return all.empty() ? say(Text::none) : join(all, ", ");
}

std::string baseline_phrase(const Project& project, const Phrases& say) {
    std::vector<std::string> all;
    for (const auto& [kind, name] : project.performance.baseline) {
        all.push_back(kind.empty() ? in_code(name) : say(Text::baseline_on, in_code(name), kind));
    }
    return all.empty() ? say(Text::no_baseline) : join(all, ", ");
}

std::string listed(const std::vector<std::string>& texts, const Phrases& say) {
    return texts.empty() ? say(Text::none) : in_codes(texts);
}

/// The kinds of device on which a variant runs.
std::string devices_phrase(const Project& project, const Phrases& say) {
    std::vector<std::string> kinds;
    for (const std::string_view kind : device_kinds) {
        if (std::ranges::any_of(project.variants, [&](const Variant& each) { return runs_on(each, kind); }))
            kinds.emplace_back(kind);
    }
    return listed(kinds, say);
}

std::string information_text(const Project& project, const Phrases& say) {
    const Operator& definition = project.definition;
    MarkdownTable table{say.all(Text::column_name, Text::column_value), {}};
    const auto add = [&](Text name, const std::string& value) { table.rows.push_back({say(name), value}); };
    add(Text::operator_name, in_code(definition.name));
    add(Text::operator_family, in_code(to_string(definition.family)));
    add(Text::operator_devices, devices_phrase(project, say));
    add(Text::operator_symbols, listed(definition.symbols, say));
    add(Text::operator_attributes, attributes_phrase(definition, say));
    add(Text::operator_constraints, listed(definition.constraints, say));
    if (definition.accumulate) add(Text::operator_accumulation, say(Text::accumulation_f22));
    if (definition.accumulate && definition.body.contains(attention_name))
        add(Text::operator_weights, say(Text::weights_e4m3));
    add(Text::operator_baseline, baseline_phrase(project, say));
    add(Text::operator_target, "≥ " + say.number(project.performance.target_speedup));
    add(Text::operator_caches, say(project.performance.warm_caches ? Text::caches_warm : Text::caches_cold));
    return heading(3, say(Text::basic_information)) + to_markdown(table);
}

std::string tensors_text(Text title, const std::vector<Tensor>& tensors, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_name, Text::column_shape, Text::column_dtype), {}};
    const bool has_domains = std::ranges::any_of(tensors, [](const Tensor& each) { return each.domain.has_value(); });
    if (has_domains) table.header.push_back(say(Text::column_domain));
    for (const Tensor& tensor : tensors) {
        table.rows.push_back({in_code(tensor.name), shape_phrase(tensor, say),
                              tensor.dtype ? std::string(to_string(*tensor.dtype)) : say(Text::dtype_of_case)});
        if (!has_domains) continue;
        table.rows.back().push_back(tensor.domain ? in_code(to_string(*tensor.domain)) : say(Text::any_value));
    }
    return heading(3, say(title)) + to_markdown(table);
}

std::string sizes_phrase(const Operator& definition, const Case& binding) {
    std::vector<std::string> sizes;
    for (const std::string& symbol : definition.symbols) {
        const auto size = binding.sizes.find(symbol);
        if (size != binding.sizes.end()) sizes.push_back(symbol + " = " + std::to_string(size->second));
    }
    return join(sizes, ", ");
}

std::string tolerance_phrase(const Project& project, const Case& binding, const Phrases& say) {
    std::vector<std::string> all;
    for (const Tensor& output : project.definition.outputs) {
        const Tolerance pair = tolerance_for(project.accuracy, dtype_of(output, binding));
        all.push_back(in_code(output.name) + " " + say.number(pair.rtol) + " / " + say.number(pair.atol));
    }
    return join(all, "; ");
}

std::string cases_text(const Project& project, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_case, Text::column_sizes, Text::column_dtype, Text::column_arithmetic,
                                Text::column_tolerance),
                        {}};
    for (const Case& each : project.cases) {
        table.rows.push_back(
            {as_prose(each.name), sizes_phrase(project.definition, each), std::string(to_string(each.dtype)),
             std::string(to_string(arithmetic_of(project.definition, each))), tolerance_phrase(project, each, say)});
    }
    return heading(3, say(Text::tolerances)) + paragraph(say(Text::tolerance_rule)) +
           (table.rows.empty() ? paragraph(say(Text::no_cases)) : to_markdown(table));
}

}  // namespace

std::string shape_phrase(const Tensor& tensor, const Phrases& say) {
    return tensor.shape.empty() ? say(Text::scalar) : "[" + join(tensor.shape, ", ") + "]";
}

std::string operator_section(const Project& project, const Phrases& say) {
    const Operator& definition = project.definition;
    const std::string tensors = has_file(definition.family) ? ""
                                                            : tensors_text(Text::inputs, definition.inputs, say) +
                                                                  paragraph(say(Text::layout_note)) +
                                                                  tensors_text(Text::outputs, definition.outputs, say);
    return heading(2, say(Text::definition_section)) + requirement_text(definition, say) +
           information_text(project, say) + tensors + heading(3, say(Text::max_rounds)) +
           paragraph(say(Text::max_rounds_value, project.performance.max_rounds)) + cases_text(project, say);
}

Validated<std::string> definition_document(const Project& project, const Ceilings& ceilings, Tongue tongue) {
    std::optional<Body> body;
    if (!project.definition.body.empty()) {
        Validated<Body> checked = analyse(project.definition);
        if (!checked) return std::unexpected(checked.error());
        body = std::move(*checked);
    }
    const Phrases say(tongue);
    const std::string device =
        ceilings.measured() ? say(Text::definition_ceilings, ceilings.device, ceilings.measured_at) : std::string();
    return "# " + say(Text::definition_title, as_prose(project.definition.name)) + "\n\n" +
           paragraph(say(Text::definition_preface, version, device)) + operator_section(project, say) +
           analysis_section(project, body, ceilings, say) + implementation_sections(project, body, say);
}

}  // namespace kernelgen
