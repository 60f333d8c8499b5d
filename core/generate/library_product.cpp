// SPDX-License-Identifier: Apache-2.0
#include "core/generate/library_product.h"

#include <algorithm>
#include <format>

#include "core/base/text.h"
#include "core/generate/library_match.h"
#include "core/lang/contraction.h"

namespace kernelgen {

namespace {

constexpr std::string_view product_name = "matmul";
constexpr std::string_view bias_name = "bias";
constexpr std::string_view eltwise_prefix = "eltwise_";

/// Whether the operands are the first two inputs as they are.
bool has_plain_operands(const Operator& definition, const Contraction& contraction) {
    const auto is_input = [](const ContractionOperand& operand, int input) {
        return !operand.has_prologue() && operand.values.nodes[0].index == input;
    };
    const auto has_own_dtype = [](const Tensor& tensor) { return tensor.dtype.has_value(); };
    return is_input(contraction.left, 0) && is_input(contraction.right, 1) &&
           std::ranges::none_of(definition.inputs, has_own_dtype) &&
           std::ranges::none_of(definition.outputs, has_own_dtype);
}

/// The shape of a bias: a row, or where the channels come first one pixel of each.
Shape shape_of_bias(const Body& body) {
    const Convolution* convolution = convolution_of(body);
    if (convolution == nullptr || convolution->is_channels_last) return {body.space.back()};
    return {convolution->kernels, "1", "1"};
}

std::optional<LibraryWindow> window_of(const Body& body) {
    const Convolution* of = convolution_of(body);
    if (of == nullptr) return std::nullopt;
    return LibraryWindow{of->is_channels_last, of->stride, of->padding, of->dilation};
}

std::string name_of(const LibraryWindow& window) {
    return std::format("{}_s{}_p{}_d{}", window.is_channels_last ? channels_last_convolution_name : convolution_name,
                       window.stride, window.padding, window.dilation);
}

/// "conv2d_nhwc_s1_p0_d1"; nothing where it is none.
std::optional<LibraryWindow> parse_window(const std::string& name) {
    const std::vector<std::string> words = split(name, '_');
    if (words.size() < 4 || words[0] != convolution_name) return std::nullopt;
    LibraryWindow window{.is_channels_last = words[1] == "nhwc"};
    std::int64_t* const options[] = {&window.stride, &window.padding, &window.dilation};
    for (std::size_t i = 0; i < std::size(options); ++i) {
        const std::string& word = words[words.size() - std::size(options) + i];
        long long number = 0;
        if (word.empty() || !parse_integer(word.substr(1), number)) return std::nullopt;
        *options[i] = number;
    }
    return window;
}

/// The node that adds the third input, a bias, to the product; -1 where there is none.
int bias_node(const Operator& definition, const Body& body, int product) {
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const Node& node = body.nodes[i];
        if (node.op != Op::add || !std::ranges::contains(node.operands, product)) continue;
        const Node& other = body.nodes[static_cast<std::size_t>(node.operands[node.operands[0] == product ? 1 : 0])];
        const bool is_bias =
            other.op == Op::input && other.index == 2 && definition.inputs[2].shape == shape_of_bias(body);
        if (is_bias) return static_cast<int>(i);
    }
    return -1;
}

}  // namespace

std::string to_string(const LibraryProduct& product) {
    std::string name = product.window ? name_of(*product.window) : std::string(product_name);
    if (product.is_left_transposed || product.is_right_transposed)
        name += std::string("_") + (product.is_left_transposed ? "t" : "n") + (product.is_right_transposed ? "t" : "n");
    if (product.has_bias) name += "+" + std::string(bias_name);
    return product.activation.empty() ? name : name + "+" + product.activation;
}

std::optional<LibraryProduct> parse_library_product(std::string_view name) {
    const std::vector<std::string> parts = split(name, '+');
    LibraryProduct product;
    product.window = parse_window(parts[0]);
    product.is_left_transposed = parts[0] == "matmul_tn" || parts[0] == "matmul_tt";
    product.is_right_transposed = parts[0] == "matmul_nt" || parts[0] == "matmul_tt";
    std::size_t next = 1;
    product.has_bias = parts.size() > next && parts[next] == bias_name;
    if (product.has_bias) ++next;
    if (parts.size() > next && parts[next].starts_with(eltwise_prefix)) product.activation = parts[next];
    return to_string(product) == name ? std::optional(product) : std::nullopt;
}

std::optional<LibraryProduct> library_product(const Operator& definition, const Body& lowered) {
    if (!lowered.contraction || definition.arithmetic || definition.outputs.size() != 1 ||
        definition.inputs.size() > 3 || !definition.attributes.empty() ||
        definition.outputs[0].shape != lowered.space || !has_plain_operands(definition, *lowered.contraction))
        return std::nullopt;
    const auto found = std::ranges::find(lowered.nodes, Op::contraction, &Node::op);
    const int node = static_cast<int>(found - lowered.nodes.begin());
    const bool has_bias = definition.inputs.size() == 3;
    const int sum = has_bias ? bias_node(definition, lowered, node) : node;
    if (sum < 0) return std::nullopt;
    LibraryProduct product{.is_left_transposed = lowered.contraction->left.is_transposed,
                           .is_right_transposed = lowered.contraction->right.is_transposed,
                           .window = window_of(lowered),
                           .has_bias = has_bias,
                           .activation = {}};
    if (lowered.outputs[0] == sum) return product;
    const std::optional<std::string> function = function_of_node(lowered, sum);
    if (!function) return std::nullopt;
    product.activation = *function;
    return product;
}

}  // namespace kernelgen
