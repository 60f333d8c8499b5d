// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// Makes a lowered body's nodes again, one by one.
class Rewriting {
public:
    explicit Rewriting(const Body& body);

    /// `rewrite` makes nodes of each node, whose operands are those made before, and returns its place.
    Body run(const std::function<int(Node)>& rewrite);

    const Node& at(int node) const { return result_.nodes[static_cast<std::size_t>(node)]; }
    int add(Node node);
    int constant(double value);
    /// Of `model`'s extents.
    int operation(Op op, std::vector<int> operands, Node model);

private:
    const Body& body_;
    Body result_;
};

}  // namespace kernelgen
