// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/lexer.h"

namespace kernelgen {

/// The syntax tree of an expression.
struct Expression {
    enum class Kind { number, name, call, operation };
    Kind kind = Kind::number;
    std::string text;     ///< the number, the name, the function or the operator
    std::string keyword;  ///< of an argument of a call: the name by which it is given, as in `stride=2`; or empty
    Position position;
    std::vector<std::unique_ptr<Expression>> operands;
    int height = 1;  ///< of the tree with this root; a leaf has height 1
};

using ExpressionPointer = std::unique_ptr<Expression>;

/// `name = expression`, or of several results `name, name = expression`; `value` is null where the expression did not
/// parse.
struct Assignment {
    struct Name {
        std::string text;
        Position position;
    };
    std::string name;
    Position position;
    std::vector<Name> further;  ///< the names after the first
    ExpressionPointer value;
};

/// Longer texts, and texts that are nested more deeply, are refused.
inline constexpr std::size_t longest_text = 64 * 1024;
inline constexpr int deepest_nesting = 200;

/// Higher trees (long chains of operators) are refused, since later stages walk trees recursively.
inline constexpr int tallest_tree = 1000;

/// Parses assignments, separated by ';' or newlines. After an error the parser goes on at the next assignment, so all
/// errors are reported. The result also has the assignments that did not parse: their name with a null `value`.
std::vector<Assignment> parse_assignments(std::string_view text, std::string_view place, Diagnostics& diagnostics);

/// One expression, or null with an error.
ExpressionPointer parse_expression(std::string_view text, std::string_view place, Diagnostics& diagnostics);

}  // namespace kernelgen
