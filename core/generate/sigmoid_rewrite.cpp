// SPDX-License-Identifier: Apache-2.0
#include "core/generate/sigmoid_rewrite.h"

#include <optional>
#include <utility>

#include "core/generate/rewriting.h"

namespace kernelgen {

namespace {

class SigmoidRewriting : private Rewriting {
public:
    using Rewriting::Rewriting;

    Body run() {
        return Rewriting::run([this](Node node) { return rewritten(std::move(node)); });
    }

private:
    /// A node as a factor and what it multiplies.
    struct Product {
        double factor = 1;
        int of = -1;
    };

    bool is_constant(int node) const { return at(node).op == Op::constant; }

    Product product(int node) const {
        if (at(node).op != Op::multiply) return {1, node};
        const int left = at(node).operands[0], right = at(node).operands[1];
        if (is_constant(left)) return {at(left).value, right};
        if (is_constant(right)) return {at(right).value, left};
        return {1, node};
    }
    int multiplied(Product each, const Node& model) {
        return each.factor == 1 ? each.of : operation(Op::multiply, {constant(each.factor), each.of}, model);
    }

    /// a of 1 + tanh(a).
    std::optional<int> argument_of_tanh(const Node& node) const {
        if (node.op != Op::add) return std::nullopt;
        for (const int one : {0, 1}) {
            const int left = node.operands[static_cast<std::size_t>(one)];
            const int right = node.operands[static_cast<std::size_t>(1 - one)];
            if (is_constant(left) && at(left).value == 1 && at(right).op == Op::tanh) return at(right).operands[0];
        }
        return std::nullopt;
    }

    int rewritten(Node node) {
        if (const auto argument = argument_of_tanh(node)) {
            Product twice = product(*argument);
            twice.factor *= 2;
            const int sigmoid = operation(Op::sigmoid, {multiplied(twice, node)}, node);
            node.op = Op::multiply;
            node.operands = {constant(2), sigmoid};
        } else if (node.op == Op::multiply) {
            const Product left = product(node.operands[0]), right = product(node.operands[1]);
            const bool is_half_of_two = left.factor * right.factor == 1 && left.factor != 1;
            if (is_half_of_two) node.operands = {left.of, right.of};
        }
        return add(std::move(node));
    }
};

}  // namespace

Body with_sigmoids(const Body& lowered) { return SigmoidRewriting(lowered).run(); }

}  // namespace kernelgen
