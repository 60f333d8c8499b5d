// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// A longer expression is written to a variable on a line of its own.
inline constexpr std::size_t longest_python_expression = 76;

enum class PythonDialect { triton, torch };

/// What expressions use.
struct PythonNeeds {
    std::set<std::string> functions;  ///< that are called: of `triton_functions`, or Triton's own
    std::set<std::string> names;      ///< of attributes and symbols
    bool arithmetic = false;          ///< the dtype T, for a constant or a condition
    bool fast = false;                ///< FAST
};

/// Writes nodes as Python expressions over tensors of the arithmetic's dtype T, for Triton kernels or for PyTorch.
class PythonExpression {
public:
    PythonExpression(const Body& body, PythonDialect dialect) : body_(body), dialect_(dialect) {}

    /// From now on `node` is written as `name`; a condition remains a condition.
    void name(int node, std::string text) { names_[node] = std::move(text); }
    /// The node as a number (`x`, `2.0 * x`).
    std::string number(int node) const { return write(node, false, lowest); }
    /// The node as a tensor of dtype T, even where it is a constant.
    std::string tensor(int node) const;
    /// The text of the node's own operation, even where the node has a name; may be a condition.
    std::string definition(int node) const { return operation(node).text; }
    bool is_condition(int node) const { return kernelgen::is_condition(at(node).op); }
    /// A call of one of `triton_functions`.
    std::string function(const std::string& name, const std::string& arguments) const;

    /// The texts of attributes and symbols, in the order of the operator's lists.
    std::vector<std::string> attributes, symbols;
    std::string device;  ///< device on which PyTorch makes constants
    /// What the expressions use that were written so far.
    const PythonNeeds& needs() const { return needs_; }

private:
    struct Text {
        std::string text;
        int precedence;
    };
    static constexpr int lowest = 0, comparison = 4, sum = 9, product = 10, unary = 11, primary = 100;

    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }
    bool is_triton() const { return dialect_ == PythonDialect::triton; }
    bool is_python_number(int node) const;
    std::string write(int node, bool as_condition, int least_precedence) const;
    Text operation(int node) const;
    Text binary(const Node& node, const std::string& symbol, int precedence) const;
    std::string leaf(const Node& node) const;
    Text call(const Node& node) const;
    bool fits(std::string_view form, const Node& node) const;
    Text filled(std::string_view form, const Node& node) const;
    std::string exact(int node) const;

    const Body& body_;
    PythonDialect dialect_;
    std::map<int, std::string> names_;
    mutable PythonNeeds needs_;
};

/// The text of a number that Python reads back exactly, always as a float: "2.0".
std::string python_number(double value);

}  // namespace kernelgen
