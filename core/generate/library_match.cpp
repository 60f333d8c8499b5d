// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/generate/generate.h"
#include "core/generate/library_match.h"
#include "core/generate/library_product.h"
#include "core/generate/lower.h"
#include "core/lang/shape.h"

namespace kernelgen {

namespace {

/// A primitive of oneDNN as an operator. Its inputs are in the primitive's order; attributes that the primitive has as
/// parameters are named, and their values do not matter.
struct Primitive {
    std::string_view name;
    std::string_view body;
    int inputs;  ///< x, then y for binary primitives, gamma and beta for layer normalisation
    std::string_view attribute;
    bool rows = false;  ///< only where there are rows: the further inputs are one row's
    bool in_onednn = true;
};

constexpr Primitive primitives[] = {
    {"binary_add", "out = x + y", 2},
    {"binary_sub", "out = x - y", 2},
    {"binary_mul", "out = x * y", 2},
    {"binary_div", "out = x / y", 2},
    {"binary_max", "out = max(x, y)", 2},
    {"binary_min", "out = min(x, y)", 2},
    {"eltwise_relu", "out = relu(x)", 1},
    {"eltwise_relu", "out = max(x, 0)", 1},
    {"eltwise_relu", "out = x > 0 ? x : 0", 1},
    {"eltwise_gelu_tanh", "out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))", 1},
    {"eltwise_gelu_tanh", "out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)))", 1},
    {"eltwise_gelu_tanh", "out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * x * (1 + 0.044715 * x * x)))", 1},
    {"eltwise_gelu_erf", "out = 0.5 * x * (1 + erf(x / sqrt(2)))", 1},
    {"eltwise_gelu_erf", "out = 0.5 * x * (1 + erf(x * 0.7071067811865476))", 1},
    {"eltwise_swish", "out = x * sigmoid(x)", 1},
    {"eltwise_swish", "out = x / (1 + exp(-x))", 1},
    {"eltwise_exp", "out = exp(x)", 1},
    {"eltwise_tanh", "out = tanh(x)", 1},
    {"eltwise_logistic", "out = sigmoid(x)", 1},
    {"eltwise_logistic", "out = 1 / (1 + exp(-x))", 1},
    {"eltwise_abs", "out = abs(x)", 1},
    {"eltwise_sqrt", "out = sqrt(x)", 1},
    {"eltwise_log", "out = log(x)", 1},
    {"softmax", "e = exp(x - row_max(x)); out = e / row_sum(e)", 1, "", true},
    {"layer_normalization", "out = (x - row_mean(x)) * rsqrt(row_var(x) + eps) * y + z", 3, "eps", true},
    {"layer_normalization", "out = (x - row_mean(x)) / sqrt(row_var(x) + eps) * y + z", 3, "eps", true},
    {"rms_normalization", "out = x * rsqrt(row_mean(x * x) + eps) * y", 2, "eps", true, false},
    {"rms_normalization", "out = x / sqrt(row_mean(x * x) + eps) * y", 2, "eps", true, false},
};

/// Compares two lowered bodies from their outputs down; `a` is the operator's, `b` the primitive's. Where node `x` of
/// the operator's is given, it stands for the primitive's first input.
class Comparison {
public:
    Comparison(const Body& a, const Body& b, int x = -1) : a_(a), b_(b), x_(x) {}

    bool same(int a, int b) const {
        const Node& x = a_.nodes[static_cast<std::size_t>(a)];
        const Node& y = b_.nodes[static_cast<std::size_t>(b)];
        if (x_ >= 0 && y.op == Op::input) return a == x_;
        if (x.op != y.op || x.index != y.index) return false;
        if (x.op == Op::constant) return std::abs(x.value - y.value) <= 1e-7 * std::abs(y.value);
        if (same_operands(x.operands, y.operands)) return true;
        const bool commutes = x.op == Op::add || x.op == Op::multiply || x.op == Op::minimum || x.op == Op::maximum;
        return commutes && same_operands({x.operands[1], x.operands[0]}, y.operands);
    }

private:
    bool same_operands(const std::vector<int>& a, const std::vector<int>& b) const {
        return std::ranges::equal(a, b, [&](int x, int y) { return same(x, y); });
    }

    const Body& a_;
    const Body& b_;
    int x_;
};

/// The shapes that the library takes: x has the output's; a further input is broadcast by its own dimensions for the
/// binary primitives, and is one row's for the others.
bool shapes_fit(const Operator& definition, const Primitive& primitive) {
    const auto& out = definition.outputs[0].shape;
    const auto has_own_dtype = [](const Tensor& tensor) { return tensor.dtype.has_value(); };
    if (std::ranges::any_of(definition.inputs, has_own_dtype) || has_own_dtype(definition.outputs[0])) return false;
    if (definition.inputs[0].shape != out || out.empty() || out.size() > 6 || (primitive.rows && out.size() < 2))
        return false;
    return std::ranges::all_of(definition.inputs, [&](const Tensor& input) {
        if (input.shape == out) return !primitive.rows || &input == definition.inputs.data();
        return input.shape.size() <= out.size() && (!primitive.rows || input.shape == std::vector{out.back()});
    });
}

/// The primitive's definition in the operator's own names and shapes.
Operator as_operator(const Primitive& primitive, const Operator& definition) {
    static constexpr std::string_view names[] = {"x", "y", "z"};
    Operator result;
    result.symbols = definition.symbols;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        result.inputs.push_back({std::string(names[i]), definition.inputs[i].shape, std::nullopt});
    }
    result.outputs = {{"out", definition.outputs[0].shape, std::nullopt}};
    if (!primitive.attribute.empty()) result.attributes = {{std::string(primitive.attribute), 0}};
    result.body = primitive.body;
    return result;
}

bool computes(const Primitive& primitive, const Operator& definition, const Body& lowered) {
    const bool same_interface = static_cast<int>(definition.inputs.size()) == primitive.inputs &&
                                definition.outputs.size() == 1 &&
                                definition.attributes.size() == (primitive.attribute.empty() ? 0u : 1u);
    if (!same_interface || !shapes_fit(definition, primitive)) return false;
    const auto body = analyse(as_operator(primitive, definition));
    if (!body) return false;
    const Body other = lower(*body);
    return Comparison(lowered, other).same(lowered.outputs[0], other.outputs[0]);
}

const Primitive* find_primitive(const Operator& definition, const Body& lowered) {
    if (!has_body(definition.family) || definition.arithmetic) return nullptr;
    const auto found =
        std::ranges::find_if(primitives, [&](const Primitive& each) { return computes(each, definition, lowered); });
    return found == std::end(primitives) ? nullptr : &*found;
}

}  // namespace

std::optional<std::string> known_operator(const Operator& definition, const Body& lowered) {
    const Primitive* found = find_primitive(definition, lowered);
    return found == nullptr ? std::nullopt : std::optional<std::string>(found->name);
}

std::optional<std::string> function_of_node(const Body& lowered, int x) {
    const Shape shape = lowered.nodes[static_cast<std::size_t>(lowered.outputs[0])].shape;
    const Operator plain{.name = {}, .symbols = {}, .inputs = {{"x", shape}}, .outputs = {{"out", shape}}};
    const auto found = std::ranges::find_if(primitives, [&](const Primitive& each) {
        if (!each.name.starts_with("eltwise_")) return false;
        Operator function = as_operator(each, plain);
        for (const std::string& dimension : shape)
            if (dimension.front() < '0' || dimension.front() > '9') function.symbols.push_back(dimension);
        const auto body = analyse(function);
        if (!body) return false;
        const Body other = lower(*body);
        return Comparison(lowered, other, x).same(lowered.outputs[0], other.outputs[0]);
    });
    return found == std::end(primitives) ? std::nullopt : std::optional<std::string>(found->name);
}

std::optional<Variant> library_variant(const Operator& definition) {
    const auto body = analyse(definition);
    if (!body) return std::nullopt;
    const Body lowered = lower(*body);
    Variant variant;
    variant.name = "library";
    variant.language = Language::library;
    variant.library = "onednn";
    if (const auto product = library_product(definition, lowered)) {
        variant.primitive = to_string(*product);
        return variant;
    }
    const Primitive* found = find_primitive(definition, lowered);
    if (found == nullptr || !found->in_onednn) return std::nullopt;
    variant.primitive = found->name;
    return variant;
}

std::optional<Variant> cudnn_variant(const Operator& definition) {
    std::optional<Variant> variant = library_variant(definition);
    if (!variant || variant->primitive != "softmax") return std::nullopt;
    variant->name = "cudnn";
    variant->library = "cudnn";
    return variant;
}

}  // namespace kernelgen
