// SPDX-License-Identifier: Apache-2.0
#include "core/generate/lower.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace kernelgen {

namespace {

/// The value of an operation on constants, or nothing where it is not worth knowing.
std::optional<double> folded(Op op, const std::vector<double>& x) {
    switch (op) {
        case Op::negate: return -x[0];
        case Op::add: return x[0] + x[1];
        case Op::subtract: return x[0] - x[1];
        case Op::multiply: return x[0] * x[1];
        case Op::divide: return x[0] / x[1];
        case Op::power: return std::pow(x[0], x[1]);
        case Op::sqrt: return std::sqrt(x[0]);
        case Op::rsqrt: return 1 / std::sqrt(x[0]);
        case Op::reciprocal: return 1 / x[0];
        case Op::exp: return std::exp(x[0]);
        case Op::log: return std::log(x[0]);
        default: return std::nullopt;
    }
}

class Lowering {
public:
    explicit Lowering(const Body& body) : body_(body) {
        result_.space = body.space;
        result_.reduced_outputs = body.reduced_outputs;
    }

    Body run() {
        for (const Node& node : body_.nodes) moved_.push_back(lowered(node));
        for (const int output : body_.outputs) result_.outputs.push_back(moved_[static_cast<std::size_t>(output)]);
        drop_unused();
        for (const Node& node : result_.nodes) result_.depth = std::max(result_.depth, node.depth);
        return std::move(result_);
    }

private:
    const Node& at(int index) const { return result_.nodes[static_cast<std::size_t>(index)]; }

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
        const auto value = all_constant ? folded(node.op, values) : std::nullopt;
        if (!value) return node;
        Node constant;
        constant.value = *value;
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
        const auto same = [&](const Node& other) {
            return other.op == node.op && other.operands == node.operands && other.index == node.index &&
                   (node.op != Op::constant ||
                    (other.value == node.value && std::signbit(other.value) == std::signbit(node.value)));
        };
        const auto found = std::ranges::find_if(result_.nodes, same);
        if (found == result_.nodes.end()) {
            result_.nodes.push_back(std::move(node));
            return static_cast<int>(result_.nodes.size()) - 1;
        }
        if (found->label.empty()) found->label = node.label;
        return static_cast<int>(found - result_.nodes.begin());
    }

    void drop_unused() {
        std::vector<bool> used(result_.nodes.size(), false);
        for (const int output : result_.outputs) used[static_cast<std::size_t>(output)] = true;
        for (std::size_t i = result_.nodes.size(); i-- > 0;) {
            if (!used[i]) continue;
            for (const int operand : result_.nodes[i].operands) used[static_cast<std::size_t>(operand)] = true;
        }
        std::vector<Node> kept;
        std::vector<int> moved(result_.nodes.size(), -1);
        for (std::size_t i = 0; i < result_.nodes.size(); ++i) {
            if (!used[i]) continue;
            moved[i] = static_cast<int>(kept.size());
            for (int& operand : result_.nodes[i].operands) operand = moved[static_cast<std::size_t>(operand)];
            kept.push_back(std::move(result_.nodes[i]));
        }
        for (int& output : result_.outputs) output = moved[static_cast<std::size_t>(output)];
        result_.nodes = std::move(kept);
    }

    const Body& body_;
    Body result_;
    std::vector<int> moved_;
};

}  // namespace

Body lower(const Body& body) { return Lowering(body).run(); }

}  // namespace kernelgen
