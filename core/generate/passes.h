// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// One walk over the columns of a row. All lists are node indices in order of evaluation.
struct Pass {
    std::vector<int> columns;     ///< values of columns, inputs included, that this pass computes
    std::vector<int> recalled;    ///< values of columns that an earlier pass kept
    std::vector<int> kept;        ///< of `columns`: those that a later pass recalls
    std::vector<int> reductions;  ///< whose operand this pass computes
    std::vector<int> outputs;     ///< places in Body::outputs that this pass stores
    std::vector<int> row_values;  ///< values of the row that are computed after this pass, its reductions included
};

/// How a lowered body is computed, row by row.
struct Schedule {
    std::vector<int> kernel_values;  ///< the same for all rows, no columns
    std::vector<int> row_values;     ///< of a row, before the first pass
    std::vector<Pass> passes;
    std::vector<int> row_outputs;  ///< places in Body::outputs without columns
};

/// Computes a value in the pass in which its operands are first known. A later pass computes it again where that is
/// cheap, and recalls it from a buffer where it is a division or a function. Without `keep`, always computes again.
Schedule schedule(const Operator& definition, const Body& lowered, bool keep);

/// Whether an output has a value for each column of the space, not one a row.
bool has_columns(const Body& body, const Tensor& output);

}  // namespace kernelgen
