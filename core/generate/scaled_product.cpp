// SPDX-License-Identifier: Apache-2.0
#include "core/generate/scaled_product.h"

#include <utility>

#include "core/generate/byte_products.h"

namespace kernelgen {

namespace {

class ScaledProductReader {
public:
    ScaledProductReader(const Operator& definition, const Body& body) : definition_(definition), body_(body) {}

    std::optional<ScaledProduct> read() {
        int node = body_.outputs[0];
        if (at(node).op == Op::add) {
            const int first = at(node).operands[0], second = at(node).operands[1];
            if (is_bias(second)) node = first;
            else if (is_bias(first)) node = second;
            else return std::nullopt;
            found_.bias = at(node == first ? second : first).index;
        }
        if (!add_factors(node) || !has_product_) return std::nullopt;
        const bool by_vectors = found_.rows || found_.columns;
        const bool fits =
            by_vectors ? found_.rows && found_.columns && found_.scalars.empty() : found_.scalars.size() <= 2;
        return fits ? std::optional(found_) : std::nullopt;
    }

private:
    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }
    const Tensor& tensor_of(int node) const { return definition_.inputs[static_cast<std::size_t>(at(node).index)]; }

    bool is_bias(int node) const {
        return at(node).op == Op::input && !tensor_of(node).dtype && tensor_of(node).shape.size() == 1 &&
               at(node).per_column;
    }
    bool add_factors(int node) {
        const Node& factor = at(node);
        if (factor.op == Op::multiply) return add_factors(factor.operands[0]) && add_factors(factor.operands[1]);
        if (factor.op == Op::contraction) return !std::exchange(has_product_, true);
        if (factor.op != Op::input || tensor_of(node).dtype != DType::f32) return false;
        if (!factor.per_row && !factor.per_column) {
            found_.scalars.push_back(factor.index);
            return true;
        }
        if (factor.per_row == factor.per_column) return false;
        std::optional<int>& scale = factor.per_row ? found_.rows : found_.columns;
        return !std::exchange(scale, factor.index);
    }

    const Operator& definition_;
    const Body& body_;
    ScaledProduct found_;
    bool has_product_ = false;
};

}  // namespace

std::optional<ScaledProduct> scaled_product(const Operator& definition, const Body& lowered) {
    if (!uses_tensor_cores_for_bytes(definition, lowered) || lowered.contraction->shape.size() != 2)
        return std::nullopt;
    if (definition.outputs.size() != 1 || definition.outputs[0].dtype) return std::nullopt;
    return ScaledProductReader(definition, lowered).read();
}

}  // namespace kernelgen
