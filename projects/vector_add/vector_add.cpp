// SPDX-License-Identifier: Apache-2.0
// vector_add: out = x + y
// A program computes a tile of BLOCK_N elements, vector by vector.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" [[gnu::flatten]] void vector_add(const DTYPE* x, const DTYPE* y, DTYPE* out, int64_t N, int64_t pid0,
                                            int64_t, int64_t) {
    const kg::Tile columns = kg::tile(pid0, BLOCK_N, N);
    kg::for_columns<T, UNROLL>(columns.first, columns.last, [&](auto j) {
        kg::prefetch<PREFETCH>(x, j);
        kg::prefetch<PREFETCH>(y, j);
        const auto x_j = kg::load(x, j);
        const auto y_j = kg::load(y, j);
        kg::store<STREAM>(out, j, x_j + y_j);
    });
    kg::end_of_stores<STREAM>();
}
