// SPDX-License-Identifier: Apache-2.0
// gelu: out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))
// A program computes a tile of BLOCK_M rows, more if short, and BLOCK_N columns, vector by vector.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void gelu(const DTYPE* x, DTYPE* out, int64_t P, int64_t D, int64_t pid0,
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
            const auto out_j = T(0.5) * x_j * (T(1) + kg::tanh(T(0.7978845608028654) * (x_j + T(0.044715) * (x_j * x_j * x_j))));
            kg::store<STREAM>(out_row, j, out_j);
        });
    }
    kg::end_of_stores<STREAM>();
}
