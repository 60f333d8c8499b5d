// SPDX-License-Identifier: Apache-2.0
// layer_norm:
//     d = x - row_mean(x)
//     v = row_var(x)
//     out = d * rsqrt(v + eps) * gamma + beta
// A program computes BLOCK_M whole rows, more if short, a pass for each value that the next one needs.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void layer_norm(const DTYPE* x, const DTYPE* gamma, const DTYPE* beta, DTYPE* out,
                                            int64_t P, int64_t D, double eps, int64_t pid0, int64_t, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_M * kg::cdiv(256, D), P);
    kg::for_rows<T>(rows, D, [=](auto i) {  // row i; several, where they are short
        const auto x_row = kg::row(x, i, D);
        const auto out_row = kg::row(out, i, D);
        kg::RowSum<T, UNROLL> mean_parts;
        kg::for_row<T, BLOCK_N, UNROLL>(i, D, [&](auto j) {
            const auto x_j = kg::load(x_row, j);
            mean_parts.take(j, x_j);
        }, mean_parts);
        const auto mean = mean_parts.result(i) / T(D);
        kg::RowSum<T, UNROLL> v_parts;
        kg::for_row<T, BLOCK_N, UNROLL>(i, D, [&](auto j) {
            kg::prefetch_row<PREFETCH>(x_row, D, j);
            const auto x_j = kg::load(x_row, j);
            const auto d = x_j - mean;
            v_parts.take(j, d * d);
        }, v_parts);
        const auto v = v_parts.result(i) / T(D);
        const auto inverse_root = kg::rsqrt(v + T(eps));
        kg::for_row<T, BLOCK_N, UNROLL>(i, D, [&](auto j) {
            const auto x_j = kg::load(x_row, j);
            const auto d = x_j - mean;
            const auto gamma_j = kg::load(gamma, j);
            const auto beta_j = kg::load(beta, j);
            kg::store<STREAM>(out_row, j, d * inverse_root * gamma_j + beta_j);
        });
    });
    kg::end_of_stores<STREAM>();
}
