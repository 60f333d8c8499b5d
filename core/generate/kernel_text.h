// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/generate/expression.h"
#include "core/generate/row_index.h"
#include "core/generate/source_text.h"

namespace kernelgen {

/// The name of the kernel's function: the operator's name, with "_kernel" appended where C++ or its library uses that
/// name.
std::string entry_name(const Operator& definition);

/// The parts that the sources of all kernels share: a head with the body in comments, parameters, and the names of a
/// body's values.
class KernelText {
public:
    KernelText(const Operator& definition, const Body& lowered);

protected:
    struct TensorNames {
        std::string pointer, type, row;  ///< the parameter, the element's type, the pointer to the row in work
    };

    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }
    /// The text of a dimension in the source.
    std::string dimension(const std::string& name) const;
    /// An integer expression over symbols in the source.
    std::string integers(const std::string& expression) const;
    RowWords row_words() const;
    /// The expression for the tensor's row that belongs to row `i` of the space.
    std::string row_of(const Tensor& tensor) const;
    std::string row_count() const;
    std::string column_count() const { return dimension(body_.space.back()); }

    void name_parameters();
    void write_head(std::string_view explanation);
    void write_include(std::string_view header);
    /// Writes the arithmetic type T. With `on_gpu`, where the arithmetic is f64 only because the case's dtype is an
    /// integer, T stays f64 (the samples were measured so).
    void write_arithmetic(bool on_gpu);
    /// `head` and the parameters in parentheses, then '{'; breaks lines between parameters.
    void open_function(const std::string& head, const std::vector<std::string>& parameters);

    /// All parameters; between a tensor's type and its name stands `pointer`.
    std::vector<std::string> parameters(const std::string& pointer) const;
    /// Opens a CUDA kernel with all parameters; `attributes` are written between `__global__` and the return type.
    void open_kernel(const std::string& attributes);
    /// Writes the divisors that are the same for all columns: a kg::Divisor; on the host a kg::divisor, which also
    /// supports vectors of rows.
    void write_constant_divisors(bool for_host = false);
    void write_divisor(int node, bool for_host = false);

    bool must_be_named(int node) const { return must_be_named_[static_cast<std::size_t>(node)]; }
    bool is_output(int node) const;
    std::string wish(int node, const std::string& suffix) const;
    /// Writes the line that computes a value, as a variable of type T or bool, or `auto`.
    void write_value(int node, bool is_auto = false);

    const Operator& definition_;
    const Body& body_;
    std::string entry_;
    Names names_;
    ExpressionWriter expressions_;
    SourceText source_;
    std::vector<TensorNames> inputs_, outputs_;
    std::vector<std::string> symbols_, attributes_;
    std::map<std::string, std::string> sizes_;  ///< names of dimensions that are expressions
    std::vector<bool> must_be_named_;           ///< `named_values`
};

}  // namespace kernelgen
