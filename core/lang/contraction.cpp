// SPDX-License-Identifier: Apache-2.0
#include "core/lang/contraction.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/lang/attention.h"

namespace kernelgen {

namespace {

Shape with_axes_exchanged(Shape shape) {
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    return shape;
}

/// The node `root` and all that it needs, as a body of its own.
ContractionOperand operand_of(const Body& body, int root) {
    ContractionOperand operand;
    const Node& node = body.nodes[static_cast<std::size_t>(root)];
    operand.is_transposed = node.op == Op::transpose;
    if (operand.is_transposed) root = node.operands[0];
    operand.values.nodes.assign(body.nodes.begin(), body.nodes.begin() + root + 1);
    operand.values.outputs = {root};
    operand.values.space = body.nodes[static_cast<std::size_t>(root)].shape;
    drop_unused(operand.values);
    mark_extents(operand.values);
    return operand;
}

ContractionSizes sizes_of_products(const Convolution& convolution, const Sizes& sizes) {
    const ConvolutionSizes all = sizes_of(convolution, sizes);
    const std::int64_t pixels = all.out_height * all.out_width, kernels = all.kernels / all.groups;
    ContractionSizes found{.depth = all.group_channels * all.kernel_height * all.kernel_width};
    if (convolution.is_channels_last) {
        found.batches = found.interleaved = all.groups;
        found.rows = all.images * pixels;
        found.columns = kernels;
    } else {
        found.batches = all.images * all.groups;
        found.rows = kernels;
        found.columns = pixels;
    }
    return found;
}

}  // namespace

double ContractionSizes::flops() const {
    return 2.0 * static_cast<double>(batches) * static_cast<double>(rows) * static_cast<double>(depth) *
           static_cast<double>(columns);
}

ContractionSizes sizes_of(const Contraction& contraction, const Sizes& sizes) {
    if (contraction.convolution) return sizes_of_products(*contraction.convolution, sizes);
    const std::vector<std::int64_t> result = extents(result_of(contraction), sizes);
    ContractionSizes found{.batches = 1,
                           .rows = result[result.size() - 2],
                           .depth = extents({"", {contraction.depth}}, sizes)[0],
                           .columns = result.back()};
    for (std::size_t i = 0; i + 2 < result.size(); ++i) found.batches *= result[i];
    return found;
}

const Convolution* convolution_of(const Body& body) {
    return body.contraction && body.contraction->convolution ? &*body.contraction->convolution : nullptr;
}

namespace {

/// The body of an operator whose sizes depend on each other; nothing where there is none, or it has errors.
std::optional<Body> body_with_sizes(const Operator& definition) {
    if (!definition.body.contains(convolution_name) && !definition.body.contains(attention_name)) return std::nullopt;
    Validated<Body> body = analyse(definition);
    return body ? std::optional(std::move(*body)) : std::nullopt;
}

/// The convolution of an operator with a body; nothing where it has none, or has errors.
std::optional<Convolution> convolution_of(const Operator& definition) {
    const std::optional<Body> body = body_with_sizes(definition);
    return body && body->contraction ? body->contraction->convolution : std::nullopt;
}

}  // namespace

std::vector<DerivedSize> derived_sizes(const Operator& definition) {
    const std::optional<Convolution> convolution = convolution_of(definition);
    return convolution ? derived_sizes(*convolution) : std::vector<DerivedSize>();
}

std::vector<DerivedSize> required_sizes(const Operator& definition) {
    const std::optional<Body> body = body_with_sizes(definition);
    if (body && body->attention) return required_sizes(*body->attention);
    const Convolution* convolution = body ? convolution_of(*body) : nullptr;
    return convolution ? required_sizes(*convolution) : std::vector<DerivedSize>();
}

void add_derived_sizes(const Operator& definition, Case& binding) {
    if (const auto convolution = convolution_of(definition)) add_derived_sizes(*convolution, binding.sizes);
}

void fit_sizes(const Operator& definition, Sizes& sizes) {
    if (const auto body = body_with_sizes(definition)) fit_sizes(*body, sizes);
}

void fit_sizes(const Body& body, Sizes& sizes) {
    if (const Convolution* convolution = convolution_of(body)) fit_sizes(*convolution, sizes);
    if (body.attention) fit_sizes(*body.attention, sizes);
}

RowMap batch_map(const Contraction& contraction, const ContractionOperand& operand, const Sizes& sizes) {
    Body batch;  // the batch as rows of one column
    batch.space = contraction.batch();
    batch.space.emplace_back("1");
    Tensor matrices{"", {operand.values.space.begin(), operand.values.space.end() - 2}};
    matrices.shape.emplace_back("1");
    return row_map(batch, matrices, sizes);
}

Tensor result_of(const Contraction& contraction) { return {"", contraction.shape}; }

std::vector<Tensor> computed_results(const Body& body) {
    if (body.attention) return results_of(*body.attention);
    return body.contraction ? std::vector{result_of(*body.contraction)} : std::vector<Tensor>();
}

Tensor read_by(const Operator& definition, const Body& body, const Node& node) {
    const auto index = static_cast<std::size_t>(node.index), inputs = definition.inputs.size();
    return index < inputs ? definition.inputs[index] : computed_results(body)[index - inputs];
}

Shape shape_of(const ContractionOperand& operand) {
    return operand.is_transposed ? with_axes_exchanged(operand.values.space) : operand.values.space;
}

std::optional<Shape> contracted(const Shape& left, const Shape& right, Said& problem) {
    for (const Shape& shape : {left, right}) {
        if (shape.size() >= 2) continue;
        problem = say("an operand of `@` has shape {}; it needs two axes or more", to_string(shape));
        return std::nullopt;
    }
    const std::string& depth = left.back();
    if (depth != right[right.size() - 2]) {
        problem = say("`@` adds over the last axis of {} and the last but one of {}: `{}` against `{}`",
                      to_string(left), to_string(right), depth, right[right.size() - 2]);
        return std::nullopt;
    }
    std::optional<Shape> shape = broadcast({left.begin(), left.end() - 2}, {right.begin(), right.end() - 2}, problem);
    if (shape) shape->insert(shape->end(), {left[left.size() - 2], right.back()});
    return shape;
}

void split_at_contraction(Body& body, int at, int inputs, const std::optional<Convolution>& convolution) {
    Node& node = body.nodes[static_cast<std::size_t>(at)];
    auto contraction = std::make_shared<Contraction>();
    contraction->left = operand_of(body, node.operands[0]);
    contraction->right = operand_of(body, node.operands[1]);
    contraction->shape = node.shape;
    contraction->depth = convolution ? convolution->depth() : shape_of(contraction->left).back();
    contraction->convolution = convolution;
    body.contraction = std::move(contraction);
    node.operands.clear();
    node.index = inputs;
    drop_unused(body);
    if (!std::ranges::contains(body.nodes, Op::contraction, &Node::op))
        body.contraction = nullptr;  // no output needs it
}

std::optional<DType> byte_dtype(const Operator& definition, const ContractionOperand& operand) {
    if (operand.has_prologue()) return std::nullopt;
    const Node& read = operand.values.nodes[0];
    const std::optional<DType>& dtype = definition.inputs[static_cast<std::size_t>(read.index)].dtype;
    const bool is_whole = read.per_row && read.per_column;
    return dtype && is_float_of_8_bits(*dtype) && is_whole ? dtype : std::nullopt;
}

bool has_coarse_sums(const Operator& definition, const Body& body) {
    if (body.attention) return has_byte_operands(definition, *body.attention);
    return body.contraction && !body.contraction->convolution && byte_dtype(definition, body.contraction->left) &&
           byte_dtype(definition, body.contraction->right);
}

}  // namespace kernelgen
