// SPDX-License-Identifier: Apache-2.0
#include "core/generate/rewriting.h"

#include <utility>

#include "core/generate/lower.h"

namespace kernelgen {

Rewriting::Rewriting(const Body& body) : body_(body), result_(body) { result_.nodes.clear(); }

Body Rewriting::run(const std::function<int(Node)>& rewrite) {
    std::vector<int> moved;
    for (Node node : body_.nodes) {
        for (int& operand : node.operands) operand = moved[static_cast<std::size_t>(operand)];
        moved.push_back(rewrite(std::move(node)));
    }
    for (int& output : result_.outputs) output = moved[static_cast<std::size_t>(output)];
    return lower(result_);
}

int Rewriting::add(Node node) {
    result_.nodes.push_back(std::move(node));
    return static_cast<int>(result_.nodes.size()) - 1;
}

int Rewriting::constant(double value) {
    Node node;
    node.value = value;
    return add(std::move(node));
}

int Rewriting::operation(Op op, std::vector<int> operands, Node model) {
    model.op = op;
    model.operands = std::move(operands);
    model.label.clear();
    return add(std::move(model));
}

}  // namespace kernelgen
