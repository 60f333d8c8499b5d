// SPDX-License-Identifier: Apache-2.0
// bias_add: out = x + bias
// A program computes a tile of BLOCK_M rows, more if short, and BLOCK_N columns, vector by vector.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" [[gnu::flatten]] void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D,
                                          int64_t pid0, int64_t pid1, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_M * kg::cdiv(256, D), P);
    const kg::Tile columns = kg::tile(pid1, BLOCK_N, D);
    kg::for_rows<T>(rows, D, [=](auto i) {  // row i; several, where they are short
        const auto x_row = kg::row(x, i, D);
        const auto out_row = kg::row(out, i, D);
        kg::for_columns<T, UNROLL>(i, columns, [&](auto j) {
            kg::prefetch<PREFETCH>(x_row, j);
            const auto x_j = kg::load(x_row, j);
            const auto bias_j = kg::load(bias, j);
            kg::store<STREAM>(out_row, j, x_j + bias_j);
        });
    });
    kg::end_of_stores<STREAM>();
}
