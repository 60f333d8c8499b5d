// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// A body with one mistake in it, of those that people make.
struct Mutation {
    Body body;
    std::string before, after;  ///< the changed expression, as bodies write it
    std::string left_out;       ///< the operand that is no longer used; "" where another operation takes its place
    std::string tensor;         ///< the input that is left out or taken instead, or ""
    double weight = 1;          ///< below 1 for mistakes that are rarely made
};

/// All mistakes in one place of a body: an operand left out, operands exchanged, a related operation, another input of
/// the same shape, a sign, a constant's decimal point, an attribute taken as 0, a variance over N − 1.
std::vector<Mutation> mutations_of(const Operator& definition, const Body& body, const Sizes& sizes);

/// A node's expression as bodies write it; of named values the name, but for the node itself. Cut where it is longer
/// than 60 bytes.
std::string expression_text(const Operator& definition, const Body& body, int node);

}  // namespace kernelgen
