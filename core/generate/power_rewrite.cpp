// SPDX-License-Identifier: Apache-2.0
#include "core/generate/power_rewrite.h"

#include <limits>
#include <vector>

#include "core/generate/lower.h"

namespace kernelgen {

namespace {

/// Makes a body's nodes again, one by one.
class Rewriting {
public:
    explicit Rewriting(const Body& body) : result_(body) { result_.nodes.clear(); }

    /// `rewrite` makes nodes of each node, whose operands are those made before, and returns its place.
    template <class Rewrite>
    Body run(const Body& body, const Rewrite& rewrite) {
        std::vector<int> moved;
        for (Node node : body.nodes) {
            for (int& operand : node.operands) operand = moved[static_cast<std::size_t>(operand)];
            moved.push_back(rewrite(std::move(node)));
        }
        for (int& output : result_.outputs) output = moved[static_cast<std::size_t>(output)];
        return lower(result_);
    }

    int add(Node node) {
        result_.nodes.push_back(std::move(node));
        return static_cast<int>(result_.nodes.size()) - 1;
    }
    int constant(double value) {
        Node node;
        node.value = value;
        return add(std::move(node));
    }
    /// Of `model`'s extents.
    int operation(Op op, std::vector<int> operands, Node model) {
        model.op = op;
        model.operands = std::move(operands);
        model.label.clear();
        return add(std::move(model));
    }
    /// The exponent of a power, where it is a number; else 0.
    double power_of(const Node& node) const {
        if (node.op != Op::power) return 0;
        const Node& exponent = result_.nodes[static_cast<std::size_t>(node.operands[1])];
        return exponent.op == Op::constant ? exponent.value : 0;
    }

private:
    Body result_;
};

}  // namespace

Body with_products(const Body& lowered) {
    Rewriting rewriting(lowered);
    return rewriting.run(lowered, [&](Node node) {
        const double power = rewriting.power_of(node);
        if (power == 2 || power == 3 || power == 4) {
            const int base = node.operands[0];
            node.op = Op::multiply;
            node.operands = {base, base};
            if (power > 2) {
                const int square = rewriting.operation(Op::multiply, {base, base}, node);
                node.operands = power == 3 ? std::vector{square, base} : std::vector{square, square};
            }
        }
        return rewriting.add(std::move(node));
    });
}

Body with_exact_roots(const Body& lowered) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Rewriting rewriting(lowered);
    return rewriting.run(lowered, [&](Node node) {
        const double power = rewriting.power_of(node);
        if (power == 0.5 || power == -0.5) {
            const int base = node.operands[0];
            const int lowest = rewriting.operation(Op::equal, {base, rewriting.constant(-infinity)}, node);
            const int without_sign = rewriting.operation(Op::add, {base, rewriting.constant(0)}, node);
            const int root = rewriting.operation(power > 0 ? Op::sqrt : Op::rsqrt, {without_sign}, node);
            const int at_lowest = rewriting.constant(power > 0 ? infinity : 0);
            node.op = Op::select;
            node.operands = {lowest, at_lowest, root};
        }
        return rewriting.add(std::move(node));
    });
}

}  // namespace kernelgen
