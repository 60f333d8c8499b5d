// SPDX-License-Identifier: Apache-2.0
// broadcast: out = bias
// A program computes a tile of BLOCK_M rows, more if short, and BLOCK_N columns, vector by vector.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" [[gnu::flatten]] void broadcast(const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0,
                                           int64_t pid1, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_M * kg::cdiv(256, D), P);
    const kg::Tile columns = kg::tile(pid1, BLOCK_N, D);
    kg::for_rows<T>(rows, D, [=](auto i) {  // row i; several, where they are short
        const auto out_row = kg::row(out, i, D);
        kg::for_columns<T, UNROLL>(i, columns, [&](auto j) {
            const auto bias_j = kg::load(bias, j);
            kg::store<STREAM>(out_row, j, bias_j);
        });
    });
    kg::end_of_stores<STREAM>();
}
