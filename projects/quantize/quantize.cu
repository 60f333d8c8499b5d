// SPDX-License-Identifier: Apache-2.0
// quantize:
//     scale = max(row_max(abs(x)), 1e-12) / 448
//     q = clamp(x / scale, -448, 448)
// A block computes BLOCK_M whole rows; the blocks of a cluster share those that are too long for one.
#define KG_PRECISE  // an output may be more precise than DTYPE
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Rows = kg::Rows<T, BLOCK_M, BLOCK_N, num_warps, num_stages, CLUSTER, HOLD, (PERSISTENT > 0), VEC, LOAD_CACHE, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) KG_CLUSTER(CLUSTER) void quantize(
    const DTYPE* __restrict__ x, kg_f8e4m3* __restrict__ q, float* __restrict__ scale, int64_t M, int64_t K) {
    const auto rows = [&](int64_t i) { return kg::list(x + i * K); };
    const auto same = kg::list();
    const auto outputs = kg::list(q);
    Rows::for_each(M, K, rows, same, outputs,
                   [&](auto& row, const auto& x_row) {
        const int64_t i = row.index();
        const T largest = row.max([&](T x_j) { return kg::abs(x_j); }, x_row);
        const T scale_i = kg::maximum(largest, T(1e-12)) / T(448);
        const kg::Divisor<T> by_scale_i(scale_i);
        row.store(q + i * K, [&](T x_j) { return kg::clamp(x_j / by_scale_i, T(-448), T(448)); }, x_row);
        row.store_value(scale + i, scale_i);
    });
}
