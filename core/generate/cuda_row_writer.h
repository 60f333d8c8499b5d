// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/generate/cuda_text.h"
#include "core/generate/passes.h"

namespace kernelgen {

/// Writes the CUDA source of a kernel for a lowered body with reductions or row outputs, row by row (`kg::Rows`).
class CudaRowWriter : private CudaText {
public:
    CudaRowWriter(const Operator& definition, const Body& lowered);
    std::string write();

private:
    bool is_same_for_all_rows(int node) const;
    void write_lists();
    void write_pass(const Pass& pass);
    void write_kept(const Pass& pass);
    bool sums_exponentials() const;
    void write_reduction(int node);
    void write_row_values(const std::vector<int>& nodes);
    void write_row_outputs();
    std::string row_pointer(const Tensor& tensor, const std::string& pointer) const;
    /// Writes `before`, then a lambda that computes `node` (or its definition) from the row's arrays, then these
    /// arrays, then `after`.
    void write_columns(const std::string& before, int node, bool itself, const std::string& after);
    void gather(int node, bool itself, std::vector<int>& values, std::vector<int>& arrays) const;

    Schedule schedule_;
    std::vector<std::string> arrays_;        ///< for each node: the array with its values of the row
    std::vector<std::string> column_names_;  ///< for each node: the name of its value in one column
};

}  // namespace kernelgen
