// SPDX-License-Identifier: Apache-2.0
// quantize:
//     scale = max(row_max(abs(x)), 1e-12) / 448
//     q = clamp(x / scale, -448, 448)
// A program computes BLOCK_M whole rows, more if short, a pass for each value that the next one needs.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void quantize(const DTYPE* x, kg_f8e4m3* q, float* scale, int64_t M, int64_t K,
                                          int64_t pid0, int64_t, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_M * kg::cdiv(256, K), M);
    kg::for_rows<T>(rows, K, [=](auto i) {  // row i; several, where they are short
        const auto x_row = kg::row(x, i, K);
        const auto q_row = kg::row(q, i, K);
        kg::RowMax<T, UNROLL> largest_parts;
        kg::for_row<T, BLOCK_N, UNROLL>(i, K, [&](auto j) {
            const auto x_j = kg::load(x_row, j);
            largest_parts.take(j, kg::abs(x_j));
        }, largest_parts);
        const auto largest = largest_parts.result(i);
        const auto scale_i = kg::maximum(largest, T(1e-12)) / T(448);
        const auto by_scale_i = kg::divisor(scale_i);
        kg::for_row<T, BLOCK_N, UNROLL>(i, K, [&](auto j) {
            kg::prefetch_row<PREFETCH>(x_row, K, j);
            const auto x_j = kg::load(x_row, j);
            kg::store<STREAM>(q_row, j, kg::clamp(x_j / by_scale_i, T(-448), T(448)));
        });
        kg::store_value(scale, i, scale_i);
    });
    kg::end_of_stores<STREAM>();
}
