// SPDX-License-Identifier: Apache-2.0
// softmax:
//     m = row_max(x)
//     e = exp(x - m)
//     out = e / row_sum(e)
// A block computes BLOCK_M whole rows; the blocks of a cluster share those that are too long for one.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Rows = kg::Rows<T, BLOCK_M, BLOCK_N, num_warps, num_stages, CLUSTER, HOLD, (PERSISTENT > 0), VEC, LOAD_CACHE, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) KG_CLUSTER(CLUSTER) void softmax(
    const DTYPE* __restrict__ x, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const auto rows = [&](int64_t i) { return kg::list(x + i * D); };
    const auto same = kg::list();
    const auto outputs = kg::list(out);
    Rows::for_each(P, D, rows, same, outputs,
                   [&](auto& row, const auto& x_row) {
        const int64_t i = row.index();
        const T m = row.max_before_exp([&](T x_j) { return x_j; }, x_row);
        const auto e_row = row.keep([&](T x_j) { return kg::exp(x_j - m); }, x_row);
        const T sum = row.sum_of_exp();
        const kg::Divisor<T> by_sum(sum);
        row.store(out + i * D, [&](T e) { return e / by_sum; }, e_row);
    });
}
