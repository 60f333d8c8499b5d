// SPDX-License-Identifier: Apache-2.0
// softmax:
//     m = row_max(x)
//     e = exp(x - m)
//     out = e / row_sum(e)
// A program computes BLOCK_M whole rows, more if short, a pass for each value that the next one needs.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void softmax(const DTYPE* x, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t,
                                         int64_t) {
    const auto e_row = kg::row_buffer<T, 0>(D);  // kept for a later pass
    const kg::Tile rows = kg::tile(pid0, BLOCK_M * kg::cdiv(256, D), P);
    kg::for_rows<T>(rows, D, [=](auto i) {  // row i; several, where they are short
        const auto x_row = kg::row(x, i, D);
        const auto out_row = kg::row(out, i, D);
        kg::RowMax<T, UNROLL> m_parts;
        kg::for_row<T, BLOCK_N, UNROLL>(i, D, [&](auto j) {
            const auto x_j = kg::load(x_row, j);
            m_parts.take(j, x_j);
        }, m_parts);
        const auto m = m_parts.result(i);
        kg::RowSum<T, UNROLL> sum_parts;
        kg::for_row<T, BLOCK_N, UNROLL>(i, D, [&](auto j) {
            kg::prefetch_row<PREFETCH>(x_row, D, j);
            const auto x_j = kg::load(x_row, j);
            const auto e = kg::exp(x_j - m);
            kg::store(e_row, j, e);
            sum_parts.take(j, e);
        }, sum_parts);
        const auto sum = sum_parts.result(i);
        const auto by_sum = kg::divisor(sum);
        kg::for_row<T, BLOCK_N, UNROLL>(i, D, [&](auto j) {
            const auto e = kg::load(e_row, j);
            kg::store<STREAM>(out_row, j, e / by_sum);
        });
    });
    kg::end_of_stores<STREAM>();
}
