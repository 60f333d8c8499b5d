// SPDX-License-Identifier: Apache-2.0
#include "core/generate/lower.h"

#include <algorithm>

#include "core/lang/contraction.h"
#include "core/lang/operation_value.h"

namespace kernelgen {

namespace {

/// The value of an operation on one or two constants.
double folded(Op op, const std::vector<double>& x) {
    double result = 0;
    with_value_of<double>(op, [&](auto value) { result = value(x.front(), x.back(), 0); });
    return result;
}

class Lowering {
public:
    explicit Lowering(const Body& body) : body_(body) {
        result_.space = body.space;
        result_.reduced_outputs = body.reduced_outputs;
        result_.attention = body.attention;
        if (body.contraction) result_.contraction = lowered(*body.contraction);
    }

    Body run() {
        for (const Node& node : body_.nodes) moved_.push_back(lowered(node));
        for (const int output : body_.outputs) result_.outputs.push_back(moved_[static_cast<std::size_t>(output)]);
        drop_unused(result_);
        for (const Node& node : result_.nodes) result_.depth = std::max(result_.depth, node.depth);
        return std::move(result_);
    }

private:
    const Node& at(int index) const { return result_.nodes[static_cast<std::size_t>(index)]; }

    static std::shared_ptr<const Contraction> lowered(Contraction contraction) {
        for (ContractionOperand* operand : {&contraction.left, &contraction.right})
            operand->values = lower(operand->values);
        return std::make_shared<Contraction>(std::move(contraction));
    }

    int lowered(Node node) {
        for (int& operand : node.operands) operand = moved_[static_cast<std::size_t>(operand)];
        if (!is_reduction(node.op)) return add(with_constants_folded(std::move(node)));
        const int value = node.operands[0];
        if (!at(value).per_column)
            return node.op == Op::row_var ? like(Op::subtract, {value, value}, at(value)) : value;
        if (node.op != Op::row_var) return add(std::move(node));
        const int mean = like(Op::row_mean, {value}, node);
        const int difference = like(Op::subtract, {value, mean}, at(value), "difference");
        const int square = like(Op::multiply, {difference, difference}, at(value));
        node.op = Op::row_mean;
        node.operands = {square};
        return add(std::move(node));
    }

    Node with_constants_folded(Node node) const {
        std::vector<double> values;
        for (const int operand : node.operands) {
            if (at(operand).op == Op::constant) values.push_back(at(operand).value);
        }
        const bool all_constant = !values.empty() && values.size() == node.operands.size();
        if (!all_constant || !is_folded(node.op)) return node;
        Node constant;
        constant.value = folded(node.op, values);
        return constant;
    }

    /// A new node of `model`'s extents.
    int like(Op op, std::vector<int> operands, Node model, std::string label = "") {
        model.op = op;
        model.operands = std::move(operands);
        model.label = std::move(label);
        model.index = -1;
        model.value = 0;
        return add(std::move(model));
    }

    int add(Node node) {
        node.depth = 0;
        for (const int operand : node.operands) node.depth = std::max(node.depth, at(operand).depth);
        if (is_reduction(node.op)) ++node.depth;
        const auto found =
            std::ranges::find_if(result_.nodes, [&](const Node& other) { return is_same_value(other, node); });
        if (found == result_.nodes.end()) {
            result_.nodes.push_back(std::move(node));
            return static_cast<int>(result_.nodes.size()) - 1;
        }
        if (found->label.empty()) found->label = node.label;
        return static_cast<int>(found - result_.nodes.begin());
    }

    const Body& body_;
    Body result_;
    std::vector<int> moved_;
};

}  // namespace

Body lower(const Body& body) { return Lowering(body).run(); }

}  // namespace kernelgen
