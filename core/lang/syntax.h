// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/lexer.h"

namespace kernelgen {

/// An expression as written. `symbol` is an operator ("+", "<=", "not", "?"), or empty for leaves and calls.
struct Expression {
    enum class Kind { number, name, call, operation };
    Kind kind = Kind::number;
    std::string text;  ///< the number, the name, the function or the operator
    Position position;
    std::vector<std::unique_ptr<Expression>> operands;
    int height = 1;  ///< of the tree below, leaves being 1
};

using ExpressionPointer = std::unique_ptr<Expression>;

/// `name = expression`; `value` is null where the expression did not parse.
struct Assignment {
    std::string name;
    Position position;
    ExpressionPointer value;
};

/// Texts longer than this, or nested deeper, are refused.
inline constexpr std::size_t longest_text = 64 * 1024;
inline constexpr int deepest_nesting = 200;

/// Chains of operators that would make a taller tree are refused, since later stages walk trees recursively.
inline constexpr int tallest_tree = 1000;

/// Assignments separated by ';' or newlines. After an error the parser goes on at the next assignment, so that all are
/// reported; what parsed is returned beside them, and so are the names of assignments that did not.
std::vector<Assignment> parse_assignments(std::string_view text, std::string_view place, Diagnostics& diagnostics);

/// One expression, or null with an error.
ExpressionPointer parse_expression(std::string_view text, std::string_view place, Diagnostics& diagnostics);

}  // namespace kernelgen
