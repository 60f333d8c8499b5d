// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// One pass over the columns of a row. All lists are node indices in order of evaluation.
struct Pass {
    std::vector<int> columns;     ///< nodes with columns, inputs included, that this pass computes
    std::vector<int> recalled;    ///< nodes with columns that an earlier pass kept in a buffer
    std::vector<int> kept;        ///< those of `columns` that a later pass reads from a buffer
    std::vector<int> reductions;  ///< reductions over operands that this pass computes
    std::vector<int> outputs;     ///< places in Body::outputs that this pass stores
    std::vector<int> row_values;  ///< nodes without columns that are computed after this pass, its reductions included
};

/// The plan for computing a lowered body, row by row.
struct Schedule {
    std::vector<int> kernel_values;  ///< nodes with one value for all rows and columns
    std::vector<int> row_values;     ///< nodes with one value for each row, computed before the first pass
    std::vector<Pass> passes;
    std::vector<int> row_outputs;  ///< places in Body::outputs without columns
};

/// Computes each value in the first pass in which its operands are known. A later pass computes it again where that is
/// cheap, and reads it from a buffer where it is a division or a function. Without `keep`, a later pass always computes
/// it again.
Schedule schedule(const Operator& definition, const Body& lowered, bool keep);

/// Whether an output has a value for each column of the space, not one value for each row.
bool has_columns(const Body& body, const Tensor& output);

/// Whether a tensor has an element for each row and column of the space, without broadcasting.
bool fills_space(const Body& body, const Tensor& tensor);

/// The nodes that are inputs, in order of the operator's inputs.
std::vector<int> input_nodes(const Body& body);

/// The operator's inputs that a body reads, those of its contraction's prologues too, in order.
std::vector<int> inputs_read(const Body& body);

}  // namespace kernelgen
