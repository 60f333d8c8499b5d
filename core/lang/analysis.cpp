// SPDX-License-Identifier: Apache-2.0
#include "core/lang/analysis.h"

#include "core/lang/attention.h"
#include "core/lang/contraction.h"

namespace kernelgen {
namespace {

double elements(const std::vector<std::string>& shape, const Sizes& sizes) {
    double count = 1;
    for (const std::int64_t extent : extents({"", shape, {}}, sizes)) count *= static_cast<double>(extent);
    return count;
}

double bytes_of(const Tensor& tensor, const Case& binding) {
    return elements(tensor.shape, binding.sizes) * static_cast<double>(size_of(dtype_of(tensor, binding)));
}

/// The dtype of the inputs that both operands read; nothing where it is not one.
std::optional<DType> multiplied_dtype(const Operator& definition, const Contraction& contraction, const Case& binding) {
    std::optional<DType> found;
    for (const ContractionOperand* operand : {&contraction.left, &contraction.right}) {
        for (const Node& node : operand->values.nodes) {
            const bool is_whole = (node.per_row && node.per_column) || node.shape == operand->values.space;
            if (node.op != Op::input || !is_whole) continue;
            const DType dtype = dtype_of(definition.inputs[static_cast<std::size_t>(node.index)], binding);
            const bool are_bytes = is_float_of_8_bits(dtype) && found && is_float_of_8_bits(*found);
            if (found && *found != dtype && !are_bytes) return std::nullopt;
            found = are_bytes && *found != dtype ? DType::f8e4m3 : dtype;  // tensor cores have one rate for both
        }
    }
    return found;
}

/// An exponential for each score that is seen, and `flops_per_score` for it and each element of a head.
void count_attention(const Operator& definition, const Attention& attention, const Case& binding, Analysis& analysis) {
    const AttentionSizes sizes = sizes_of(attention, binding.sizes);
    const double scores = seen_scores(attention, sizes);
    analysis.flops += flops_per_score(attention) * scores * static_cast<double>(sizes.head_size);
    analysis.transcendentals += scores;
    analysis.multiplied = dtype_of(definition.inputs[static_cast<std::size_t>(attention.queries)], binding);
}

/// Whether every row sees a column, and every column is seen.
bool needs_all_inputs(const Attention& attention, const Sizes& sizes) {
    const AttentionSizes all = sizes_of(attention, sizes);
    const auto last = attention.last_seen();
    const bool hides = attention.lengths >= 0 || attention.mask >= 0 || attention.window_left >= 0 ||
                       attention.is_paged();  // a table may leave blocks out
    return !hides && (!last || (*last == 0 && all.rows <= all.columns));
}

void count_flops(const Body& body, const Case& binding, Analysis& analysis) {
    for (const Node& node : body.nodes) {
        if (is_leaf(node.op)) continue;
        const double results = elements(node.shape, binding.sizes);
        if (is_reduction(node.op)) {
            const double operands = elements(body.nodes[node.operands[0]].shape, binding.sizes);
            analysis.flops += flops_per_element(node.op) * operands + flops_per_row(node.op) * results;
        } else {
            analysis.flops += results;
        }
        if (is_transcendental(node.op)) analysis.transcendentals += results;
    }
    if (!body.contraction) return;
    analysis.flops += sizes_of(*body.contraction, binding.sizes).flops();
    for (const ContractionOperand* operand : {&body.contraction->left, &body.contraction->right})
        count_flops(operand->values, binding, analysis);
}

/// Whether the result needs every element of both operands.
bool needs_all_operands(const Contraction& contraction, const Sizes& sizes) {
    if (!contraction.convolution) return true;
    const Convolution& of = *contraction.convolution;
    if (of.stride > 1 || of.dilation > 1) return false;  // they may leave pixels out
    const ConvolutionSizes all = sizes_of(of, sizes);
    // Otherwise the first and the last taps only ever meet padding.
    return all.kernel_height <= all.height + of.padding && all.kernel_width <= all.width + of.padding;
}

}  // namespace

Analysis analyse_case(const Operator& definition, const Body& body, const Case& binding) {
    Analysis analysis;
    count_flops(body, binding, analysis);
    if (body.attention) count_attention(definition, *body.attention, binding, analysis);
    if (body.contraction) analysis.multiplied = multiplied_dtype(definition, *body.contraction, binding);
    for (const Tensor& input : definition.inputs) analysis.bytes_read += bytes_of(input, binding);
    for (const Tensor& output : definition.outputs) analysis.bytes_written += bytes_of(output, binding);
    return analysis;
}

bool needs_all_inputs(const Body& body, const Sizes& sizes) {
    std::vector<bool> needed(body.nodes.size());
    for (const int output : body.outputs) needed[static_cast<std::size_t>(output)] = true;
    for (std::size_t i = body.nodes.size(); i-- > 0;) {
        const Node& node = body.nodes[i];
        if (!needed[i] || node.operands.empty()) continue;
        const bool branches = node.op == Op::select || node.op == Op::logical_and || node.op == Op::logical_or;
        const std::size_t certain = branches ? 1 : node.operands.size();
        for (std::size_t k = 0; k < certain; ++k) needed[static_cast<std::size_t>(node.operands[k])] = true;
    }
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        if (is_read(body.nodes[i].op) && !needed[i]) return false;
    }
    if (body.attention) return needs_all_inputs(*body.attention, sizes);
    if (!body.contraction) return true;
    return needs_all_operands(*body.contraction, sizes) && needs_all_inputs(body.contraction->left.values, sizes) &&
           needs_all_inputs(body.contraction->right.values, sizes);
}

OperationCount count_operations(const Body& body) {
    OperationCount count;
    for (const Node& node : body.nodes) {
        if (is_leaf(node.op)) continue;
        if (is_reduction(node.op)) {
            const bool over_columns = body.nodes[node.operands[0]].per_column;
            (over_columns ? count.per_element : count.per_row) += flops_per_element(node.op);
            count.per_row += flops_per_row(node.op);
        } else {
            (node.per_column ? count.per_element : count.per_row) += 1;
            if (is_transcendental(node.op) && node.per_column) count.transcendentals_per_element += 1;
        }
    }
    return count;
}

}  // namespace kernelgen
