// SPDX-License-Identifier: Apache-2.0
// broadcast: out = bias
// A program computes a tile of BLOCK_M rows and BLOCK_N columns, vector by vector.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void broadcast(const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0,
                                           int64_t pid1, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_M, P);
    const kg::Tile columns = kg::tile(pid1, BLOCK_N, D);
    for (int64_t i = rows.first; i < rows.last; ++i) {
        DTYPE* const out_row = out + i * D;
        kg::for_columns<T, UNROLL>(columns.first, columns.last, [&](auto j) {
            const auto bias_j = kg::load(bias, j);
            kg::store<STREAM>(out_row, j, bias_j);
        });
    }
    kg::end_of_stores<STREAM>();
}
