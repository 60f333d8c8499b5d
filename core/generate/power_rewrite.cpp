// SPDX-License-Identifier: Apache-2.0
#include "core/generate/power_rewrite.h"

#include "core/generate/lower.h"

namespace kernelgen {

Body with_products(const Body& lowered) {
    Body result = lowered;
    result.nodes.clear();
    std::vector<int> moved;
    const auto add = [&](Node node) {
        result.nodes.push_back(std::move(node));
        return static_cast<int>(result.nodes.size()) - 1;
    };
    for (Node node : lowered.nodes) {
        for (int& operand : node.operands) operand = moved[static_cast<std::size_t>(operand)];
        const double power =
            node.op == Op::power && result.nodes[static_cast<std::size_t>(node.operands[1])].op == Op::constant
                ? result.nodes[static_cast<std::size_t>(node.operands[1])].value
                : 0;
        if (power == 2 || power == 3 || power == 4) {
            const int base = node.operands[0];
            node.op = Op::multiply;
            node.operands = {base, base};
            Node factor = node;
            factor.label.clear();
            if (power == 3) node.operands[0] = add(std::move(factor));
            else if (power == 4) node.operands.assign(2, add(std::move(factor)));
        }
        moved.push_back(add(std::move(node)));
    }
    for (int& output : result.outputs) output = moved[static_cast<std::size_t>(output)];
    return lower(result);
}

}  // namespace kernelgen
