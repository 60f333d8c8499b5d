// SPDX-License-Identifier: Apache-2.0
// relu: out = relu(x)
// A program computes a tile of BLOCK_M rows, more if short, and BLOCK_N columns, vector by vector.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" [[gnu::flatten]] void relu(const DTYPE* x, DTYPE* out, int64_t P, int64_t D, int64_t pid0,
                                      int64_t pid1, int64_t) {
    kg::Tile rows = kg::tile(pid0, BLOCK_M * kg::cdiv(256, D), P);
    kg::Tile columns = kg::tile(pid1, BLOCK_N, D);
    kg::join_rows(rows, columns, D);  // whole rows as one
    for (int64_t i = rows.first; i < rows.last; ++i) {
        const DTYPE* const x_row = x + i * D;
        DTYPE* const out_row = out + i * D;
        kg::for_columns<T, UNROLL>(columns.first, columns.last, [&](auto j) {
            kg::prefetch<PREFETCH>(x_row, j);
            const auto x_j = kg::load(x_row, j);
            kg::store<STREAM>(out_row, j, kg::relu(x_j));
        });
    }
    kg::end_of_stores<STREAM>();
}
