// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/generate/expression.h"
#include "core/generate/passes.h"
#include "core/generate/source_text.h"

namespace kernelgen {

enum class KernelStyle {
    naive,  ///< scalar loops over one row a program
    host,   ///< vectors over a tile, everything known of a row kept between passes
};

/// Whether a program of the host kernel has a tile of columns too, not whole rows only: nothing is reduced.
bool has_column_tiles(const Operator& definition, const Body& lowered);

/// The kernel's function: the operator's name, with "_kernel" where C++ or its library has that name.
std::string entry_name(const Operator& definition);

/// Writes the C++ source of a kernel for a lowered body.
class KernelWriter {
public:
    KernelWriter(const Operator& definition, const Body& lowered, KernelStyle style);
    std::string write();

private:
    struct TensorNames {
        std::string pointer, type, row;  ///< the parameter, the element's type, the pointer to the row in work
    };

    bool host() const { return style_ == KernelStyle::host; }
    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }
    std::string dimension(const std::string& name) const;
    std::vector<std::string> dimensions(const std::vector<std::string>& shape) const;

    void name_parameters();
    void write_head();
    void write_signature();
    void open_rows();
    void write_row_pointers();
    void write_row_pointer(const Tensor& tensor, TensorNames& names);
    void write_buffers();
    void write_pass(const Pass& pass);
    void write_accumulators(const Pass& pass);
    void open_columns();
    void close_columns(const Pass& pass);
    void write_columns(const Pass& pass);
    void write_sinks(const Pass& pass);
    void write_input(int node);
    void write_prefetches(const Pass& pass);
    void write_store(int output);
    void write_row_outputs();
    void write_row_values(const std::vector<int>& nodes);
    void write_reduction(int node);
    void write_constant_divisors();
    void write_divisor(int node);
    bool must_be_named(int node) const;
    bool is_output(int node) const;
    bool is_for_columns(int node) const;
    std::string wish(int node, const std::string& suffix) const;

    const Operator& definition_;
    const Body& body_;
    KernelStyle style_;
    std::string entry_;
    bool column_tiles_;
    Schedule schedule_;
    Names names_;
    ExpressionWriter expressions_;
    SourceText source_;
    std::vector<TensorNames> inputs_, outputs_;
    std::vector<std::string> symbols_, attributes_;
    std::vector<std::string> parts_;    ///< of a node: its accumulator
    std::vector<std::string> buffers_;  ///< of a node: the buffer that keeps it
    std::vector<int> uses_;
};

}  // namespace kernelgen
