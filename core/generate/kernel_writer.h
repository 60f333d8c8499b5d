// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/generate/kernel_text.h"
#include "core/generate/passes.h"

namespace kernelgen {

enum class KernelStyle {
    naive,       ///< scalar loops over one row a program
    host,        ///< vectors over a tile, everything known of a row kept between passes
    cuda_naive,  ///< a thread an element, or a block a row where something is reduced
};

/// Whether a program of the host kernel has a tile of columns too, not whole rows only: nothing is reduced.
bool has_column_tiles(const Operator& definition, const Body& lowered);

/// Writes the C++ source of a kernel for a lowered body, of the host or of the simplest kind on a GPU.
class KernelWriter : private KernelText {
public:
    KernelWriter(const Operator& definition, const Body& lowered, KernelStyle style);
    std::string write();

private:
    bool host() const { return style_ == KernelStyle::host; }
    bool cuda() const { return style_ == KernelStyle::cuda_naive; }
    std::string_view explanation() const;
    bool every_row_is(std::initializer_list<std::string_view> rows) const;
    void write_signature();
    void open_rows();
    void write_thread_indices();
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

    KernelStyle style_;
    bool column_tiles_;
    bool joins_rows_;     ///< every tensor has every element: a tile's rows can be walked as one
    bool rows_in_lanes_;  ///< short rows can share a vector: no tensor has rows in another order
    Schedule schedule_;
    std::vector<std::string> parts_;    ///< of a node: its accumulator
    std::vector<std::string> buffers_;  ///< of a node: the buffer that keeps it
};

}  // namespace kernelgen
