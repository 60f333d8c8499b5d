// SPDX-License-Identifier: Apache-2.0
// softmax:
//     m = row_max(x)
//     e = exp(x - m)
//     out = e / row_sum(e)
// A program computes BLOCK_M whole rows, a pass for each value of the row that the next one needs.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void softmax(const DTYPE* x, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t,
                                         int64_t) {
    T* const e_row = kg::row_buffer<T, 0>(D);  // kept for a later pass
    const kg::Tile rows = kg::tile(pid0, BLOCK_M, P);
    for (int64_t i = rows.first; i < rows.last; ++i) {
        const DTYPE* const x_row = x + i * D;
        DTYPE* const out_row = out + i * D;
        kg::RowMax<T, UNROLL> m_parts;
        kg::for_row<T, BLOCK_N, UNROLL>(D, [&](auto j) {
            const auto x_j = kg::load(x_row, j);
            m_parts.take(j, x_j);
        }, m_parts);
        const T m = m_parts.result();
        kg::RowSum<T, UNROLL> sum_parts;
        kg::for_row<T, BLOCK_N, UNROLL>(D, [&](auto j) {
            kg::prefetch_row<PREFETCH>(x_row, D, j);
            const auto x_j = kg::load(x_row, j);
            const auto e = kg::exp(x_j - m);
            kg::store(e_row, j, e);
            sum_parts.take(j, e);
        }, sum_parts);
        const T sum = sum_parts.result();
        const kg::Divisor<T> by_sum(sum);
        kg::for_row<T, BLOCK_N, UNROLL>(D, [&](auto j) {
            const auto e = kg::load(e_row, j);
            kg::store<STREAM>(out_row, j, e / by_sum);
        });
    }
    kg::end_of_stores<STREAM>();
}
