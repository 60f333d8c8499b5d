// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// Copies a lowered body node by node, with changes.
class Rewriting {
public:
    explicit Rewriting(const Body& body);

    /// For each node, `rewrite` makes its new nodes and returns the index of the result; the operands are the indices
    /// of nodes that were made before.
    Body run(const std::function<int(Node)>& rewrite);

    const Node& at(int node) const { return result_.nodes[static_cast<std::size_t>(node)]; }
    int add(Node node);
    int constant(double value);
    /// A node with `model`'s extents.
    int operation(Op op, std::vector<int> operands, Node model);

private:
    const Body& body_;
    Body result_;
};

}  // namespace kernelgen
