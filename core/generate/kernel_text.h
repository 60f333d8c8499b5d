// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/generate/expression.h"
#include "core/generate/source_text.h"

namespace kernelgen {

/// The kernel's function: the operator's name, with "_kernel" where C++ or its library has that name.
std::string entry_name(const Operator& definition);

/// What the sources of all kernels have in common: a head with the body in comments, parameters, and the names of a
/// body's values.
class KernelText {
public:
    KernelText(const Operator& definition, const Body& lowered);

protected:
    struct TensorNames {
        std::string pointer, type, row;  ///< the parameter, the element's type, the pointer to the row in work
    };

    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }
    /// A dimension as the source spells it.
    std::string dimension(const std::string& name) const;
    std::vector<std::string> dimensions(const std::vector<std::string>& shape) const;
    /// Which row of the tensor row `i` of the space has.
    std::string row_of(const Tensor& tensor) const;
    std::string row_count() const;
    std::string column_count() const { return dimension(body_.space.back()); }

    void name_parameters();
    void write_head(std::string_view explanation);
    void write_include(std::string_view header);
    /// The arithmetic type T. `on_gpu`, integers that only the case makes so keep f64, as samples were measured.
    void write_arithmetic(bool on_gpu);
    /// `head` and the parameters in parentheses, then '{'; breaks lines between parameters.
    void open_function(const std::string& head, const std::vector<std::string>& parameters);

    /// A CUDA kernel with all parameters; `attributes` stand between `__global__` and its type.
    void open_kernel(const std::string& attributes);
    /// What columns are divided by, where it is the same for all of them: a kg::Divisor, on the host a
    /// kg::divisor, which knows vectors of rows too.
    void write_constant_divisors(bool for_host = false);
    void write_divisor(int node, bool for_host = false);

    bool must_be_named(int node) const;
    bool is_output(int node) const;
    bool is_for_columns(int node) const;
    std::string wish(int node, const std::string& suffix) const;

    const Operator& definition_;
    const Body& body_;
    std::string entry_;
    Names names_;
    ExpressionWriter expressions_;
    SourceText source_;
    std::vector<TensorNames> inputs_, outputs_;
    std::vector<std::string> symbols_, attributes_;
    std::vector<int> uses_;  ///< of a node
};

/// What a value that the body gives no name is called.
std::string name_of_unlabelled(Op op);

}  // namespace kernelgen
