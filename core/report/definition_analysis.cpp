// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/generate/passes.h"
#include "core/lang/analysis.h"
#include "core/lang/attention.h"
#include "core/lang/contraction.h"
#include "core/report/definition_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

/// "P × D" of a shape, "1" of a scalar.
std::string product(const std::vector<std::string>& shape) { return shape.empty() ? "1" : join(shape, " × "); }

std::string element_sum(const std::vector<Tensor>& tensors) {
    std::vector<std::string> terms;
    for (const Tensor& tensor : tensors) terms.push_back(product(tensor.shape));
    return join(terms, " + ");
}

std::string complexity_text(const Operator& definition, const Body& body, const Phrases& say) {
    const OperationCount count = count_operations(body);
    std::string depth = body.contraction ? body.contraction->depth : "";
    if (const Convolution* convolution = convolution_of(body))
        depth = product({convolution->group_channels, convolution->kernel_height, convolution->kernel_width});
    if (body.attention) depth = body.attention->columns;
    const int factor = body.attention ? static_cast<int>(flops_per_score(*body.attention)) : 2;
    return heading(3, say(Text::complexity)) +
           bullet(say(
               Text::time_complexity, product(body.space) + (depth.empty() ? "" : " × " + depth),
               (depth.empty() ? "" : std::to_string(factor) + " × " + depth + " + ") + say.number(count.per_element),
               say.number(count.transcendentals_per_element), say.number(count.per_row))) +
           bullet(say(Text::space_complexity, element_sum(definition.inputs), element_sum(definition.outputs))) + "\n";
}

/// A case with what follows from it and, where they were measured, the device's ceilings.
struct CasePlace {
    const Case* binding = nullptr;
    Analysis analysis;
    double bandwidth_gbps = 0, gflops = 0;  ///< ceilings; 0 where not measured

    bool has_ridge() const { return bandwidth_gbps > 0 && gflops > 0; }
    double ridge() const { return gflops / bandwidth_gbps; }
    bool memory_bound() const { return analysis.intensity() <= ridge(); }
    double least_seconds() const {
        const double moving = analysis.bytes() / (bandwidth_gbps * 1e9);
        return gflops > 0 ? std::max(moving, analysis.flops / (gflops * 1e9)) : moving;
    }
};

CasePlace place_of(const Project& project, const Body& body, const Case& binding, const Ceilings& ceilings) {
    CasePlace place{&binding, analyse_case(project.definition, body, binding)};
    if (!ceilings.measured()) return place;
    place.bandwidth_gbps = bandwidth_ceiling(ceilings, place.analysis.bytes_read, place.analysis.bytes_written);
    place.gflops = flop_ceiling(ceilings, arithmetic_of(project.definition, binding), place.analysis.multiplied);
    return place;
}

std::string intensity_text(const std::vector<CasePlace>& places, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_case, Text::column_flops, Text::column_transcendentals,
                                Text::column_bytes_read, Text::column_bytes_written, metrics::intensity),
                        {}};
    for (const CasePlace& place : places) {
        const Analysis& analysis = place.analysis;
        table.rows.push_back({as_prose(place.binding->name), say.measure(analysis.flops, ""),
                              say.measure(analysis.transcendentals, ""), say.measure(analysis.bytes_read, "B"),
                              say.measure(analysis.bytes_written, "B"),
                              say.value(metrics::intensity, analysis.intensity())});
    }
    return heading(3, say(Text::intensity)) + paragraph(say(Text::intensity_rule)) + to_markdown(table);
}

std::string bound_phrase(const CasePlace& place, const Phrases& say) {
    if (!place.has_ridge()) return say(Text::bound_unknown);
    return say(place.memory_bound() ? Text::bound_memory : Text::bound_compute);
}

std::string roofline_text(const std::vector<CasePlace>& places, const Phrases& say) {
    const std::string title = heading(3, say(Text::roofline));
    MarkdownTable table{say.all(Text::column_case, metrics::bandwidth_ceiling_gbps, metrics::gflops_ceiling,
                                Text::column_ridge, metrics::intensity, Text::column_bound, Text::column_least_time),
                        {}};
    for (const CasePlace& place : places) {
        if (!(place.bandwidth_gbps > 0)) continue;
        table.rows.push_back(
            {as_prose(place.binding->name), say.value(metrics::bandwidth_ceiling_gbps, place.bandwidth_gbps),
             place.gflops > 0 ? say.value(metrics::gflops_ceiling, place.gflops) : say(Text::not_measured),
             place.has_ridge() ? say.value(metrics::intensity, place.ridge()) : say(Text::not_measured),
             say.value(metrics::intensity, place.analysis.intensity()), bound_phrase(place, say),
             say.measure(place.least_seconds(), "s")});
    }
    if (table.rows.empty()) return title + paragraph(say(Text::not_measured_because, say(Text::no_ceilings)));
    return title + to_markdown(table);
}

std::string bottleneck_text(const std::vector<CasePlace>& places, const Phrases& say) {
    std::string text = heading(3, say(Text::bottleneck));
    for (const CasePlace& place : places) {
        const std::string name = as_prose(place.binding->name);
        if (place.has_ridge()) {
            const Text sentence = place.memory_bound() ? Text::bottleneck_memory : Text::bottleneck_compute;
            text += bullet(say(sentence, name, say.value(metrics::intensity, place.analysis.intensity()),
                               say.value(metrics::intensity, place.ridge())));
        } else {
            const Text missing = place.bandwidth_gbps > 0 ? Text::no_flop_ceiling : Text::no_ceilings;
            text += bullet(say(Text::bottleneck_unknown, name, say(missing)));
        }
    }
    return text + "\n";
}

std::string extent_phrase(const Node& node, const Phrases& say) {
    if (node.per_row) return say(node.per_column ? Text::per_element : Text::per_row);
    return say(node.per_column ? Text::per_column : Text::once);
}

/// The inputs and labelled values that a node is computed from, through nodes without a label.
void collect_sources(const Operator& definition, const Body& body, int index, std::set<std::string>& sources) {
    for (const int operand : body.nodes[static_cast<std::size_t>(index)].operands) {
        const Node& node = body.nodes[static_cast<std::size_t>(operand)];
        const auto place = static_cast<std::size_t>(std::max(node.index, 0));
        if (node.op == Op::input) sources.insert(definition.inputs[place].name);
        else if (node.op == Op::attribute) sources.insert(definition.attributes[place].name);
        else if (node.op == Op::symbol) sources.insert(definition.symbols[place]);
        else if (!node.label.empty()) sources.insert(node.label);
        else collect_sources(definition, body, operand, sources);
    }
}

std::string sources_phrase(const Operator& definition, const Body& body, int index, const Phrases& say) {
    std::set<std::string> sources;
    collect_sources(definition, body, index, sources);
    return sources.empty() ? say(Text::none) : in_codes({sources.begin(), sources.end()});
}

/// The dimensions along which one element of `tensor` serves many of the iteration space.
std::vector<std::string> broadcast_axes(const Body& body, const Tensor& tensor) {
    std::vector<std::string> axes;
    const std::size_t leading = body.space.size() - std::min(body.space.size(), tensor.shape.size());
    for (std::size_t i = 0; i < body.space.size(); ++i) {
        if (i < leading || tensor.shape[i - leading] != body.space[i]) axes.push_back(body.space[i]);
    }
    return axes;
}

/// The same of an input of attention: a query serves all columns, a key all rows and the heads of its group.
std::vector<std::string> reuse_in_attention(const Attention& attention, int input, const Tensor& tensor) {
    if (input == attention.lse) return {attention.columns, attention.head_size};
    if (input == attention.queries || input == attention.output || input == attention.output_gradient)
        return {attention.columns};
    if (input == attention.keys || input == attention.values) {
        if (attention.heads == attention.kv_heads) return {attention.rows};
        return {attention.rows,
                attention.kv_heads == "1" ? attention.heads : "(" + attention.heads + " / " + attention.kv_heads + ")"};
    }
    if (input == attention.query_scale.input) return {attention.columns, attention.head_size};
    if (input == attention.key_scale.input || input == attention.value_scale.input)
        return {attention.rows, attention.head_size};
    Body scores;
    scores.space = attention.scores();
    if (input != attention.lengths) return broadcast_axes(scores, tensor);
    return {attention.heads, attention.rows};
}

/// The same of an input that an operand of a contraction reads: one element serves a whole line of the result, too.
std::vector<std::string> axes_of_reuse(const Body& body, int input, const Tensor& tensor) {
    const auto reads = [&](const Body& each) { return std::ranges::contains(inputs_read(each), input); };
    if (body.attention) return reuse_in_attention(*body.attention, input, tensor);
    if (!body.contraction) return broadcast_axes(body, tensor);
    for (const bool is_left : {true, false}) {
        const Contraction& contraction = *body.contraction;
        const ContractionOperand& operand = is_left ? contraction.left : contraction.right;
        if (!reads(operand.values)) continue;
        std::vector<std::string> axes = broadcast_axes(operand.values, tensor);
        if (const Convolution* convolution = convolution_of(body)) {
            const std::vector<std::string> of_image = {convolution->kernels, convolution->kernel_height,
                                                       convolution->kernel_width};
            const std::vector<std::string> of_kernels = {convolution->images, convolution->out_height,
                                                         convolution->out_width};
            const std::vector<std::string>& more = is_left ? of_image : of_kernels;
            axes.insert(axes.end(), more.begin(), more.end());
            return axes;
        }
        axes.push_back(is_left ? contraction.columns() : contraction.rows());
        return axes;
    }
    return broadcast_axes(body, tensor);
}

std::string inputs_text(const Operator& definition, const Body& body, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_input, Text::column_elements, Text::column_used), {}};
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const Tensor& input = definition.inputs[i];
        const auto axes = axes_of_reuse(body, static_cast<int>(i), input);
        table.rows.push_back({in_code(input.name), product(input.shape),
                              axes.empty() ? say(Text::used_once) : say(Text::used_repeatedly, product(axes))});
    }
    return to_markdown(table);
}

std::string data_flow_text(const Operator& definition, const Body& body, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_value_of, Text::column_shape, Text::column_computed, Text::column_reads),
                        {}};
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const Node& node = body.nodes[i];
        if (node.label.empty()) continue;
        table.rows.push_back({in_code(node.label),
                              node.shape.empty() ? say(Text::scalar) : "[" + join(node.shape, ", ") + "]",
                              extent_phrase(node, say), sources_phrase(definition, body, static_cast<int>(i), say)});
    }
    return heading(3, say(Text::data_flow)) + inputs_text(definition, body, say) + to_markdown(table) +
           paragraph(body.has_reductions() ? say(Text::data_flow_reductions, body.depth)
                                           : say(Text::data_flow_pointwise));
}

}  // namespace

std::string analysis_section(const Project& project, const std::optional<Body>& body, const Ceilings& ceilings,
                             const Phrases& say) {
    const std::string title = heading(2, say(Text::analysis_section));
    if (!body) return title + paragraph(say(Text::analysis_missing, as_prose(to_string(project.definition.family))));
    std::vector<CasePlace> places;
    for (const Case& binding : project.cases) places.push_back(place_of(project, *body, binding, ceilings));
    std::string text = title + complexity_text(project.definition, *body, say);
    if (places.empty()) text += paragraph(say(Text::no_cases));
    else text += intensity_text(places, say) + roofline_text(places, say) + bottleneck_text(places, say);
    return text + data_flow_text(project.definition, *body, say);
}

}  // namespace kernelgen
