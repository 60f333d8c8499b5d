// SPDX-License-Identifier: Apache-2.0
#include "core/generate/power_rewrite.h"

#include <limits>
#include <vector>

#include "core/generate/rewriting.h"

namespace kernelgen {

namespace {

/// The exponent of a power, where it is a number; else 0.
double power_of(const Node& node, const Rewriting& rewriting) {
    if (node.op != Op::power) return 0;
    const Node& exponent = rewriting.at(node.operands[1]);
    return exponent.op == Op::constant ? exponent.value : 0;
}

}  // namespace

Body with_products(const Body& lowered) {
    Rewriting rewriting(lowered);
    return rewriting.run([&](Node node) {
        const double power = power_of(node, rewriting);
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
    return rewriting.run([&](Node node) {
        const double power = power_of(node, rewriting);
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
