// SPDX-License-Identifier: Apache-2.0
#include "core/generate/byte_products.h"

#include <algorithm>

namespace kernelgen {

namespace {

/// Whether an operand is made of a tensor with an 8-bit floating-point dtype of its own.
bool reads_bytes(const Operator& definition, const ContractionOperand& operand) {
    return std::ranges::any_of(operand.values.nodes, [&](const Node& node) {
        if (node.op != Op::input) return false;
        const std::optional<DType>& dtype = definition.inputs[static_cast<std::size_t>(node.index)].dtype;
        return dtype && is_float_of_8_bits(*dtype);
    });
}

}  // namespace

bool uses_tensor_cores_for_bytes(const Operator& definition, const Body& lowered) {
    return has_coarse_sums(definition, lowered) && !why_bytes_are_plain(definition, lowered);
}

std::optional<std::string> why_bytes_are_plain(const Operator& definition, const Body& lowered) {
    const Contraction& contraction = *lowered.contraction;
    if (!reads_bytes(definition, contraction.left) || !reads_bytes(definition, contraction.right)) return std::nullopt;
    if (!byte_dtype(definition, contraction.left) || !byte_dtype(definition, contraction.right))
        return "an operand is computed before it is multiplied";
    if (convolution_of(lowered) != nullptr) return "they are patches of a convolution";
    if (contraction.left.is_transposed || !contraction.right.is_transposed)
        return "they take 8 bits as `x @ transpose(w)` only";
    if (definition.arithmetic == DType::f64) return "the operator's \"arithmetic\" is f64";
    if (!definition.accumulate) return "the operator has no \"accumulate\": \"f22\", as exact as they add";
    return std::nullopt;
}

}  // namespace kernelgen
