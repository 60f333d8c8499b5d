// SPDX-License-Identifier: Apache-2.0
// rms_norm: out = x * rsqrt(row_mean(x * x) + eps) * gamma
// A block computes BLOCK_M whole rows; the blocks of a cluster share those that are too long for one.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer
using Rows = kg::Rows<T, BLOCK_M, BLOCK_N, num_warps, num_stages, CLUSTER, HOLD, (PERSISTENT > 0), VEC, LOAD_CACHE, STORE_CACHE>;

extern "C" __global__ __launch_bounds__(32 * num_warps) KG_CLUSTER(CLUSTER) void rms_norm(
    const DTYPE* __restrict__ x, const DTYPE* __restrict__ gamma, DTYPE* __restrict__ out, int64_t P, int64_t D,
    double eps) {
    const auto rows = [&](int64_t i) { return kg::list(x + i * D); };
    const auto same = kg::list(gamma);
    const auto outputs = kg::list(out);
    Rows::for_each(P, D, rows, same, outputs,
                   [&](auto& row, const auto& x_row, const auto& gamma_row) {
        const int64_t i = row.index();
        const T mean = row.sum([&](T x_j) { return x_j * x_j; }, x_row) / T(D);
        const T inverse_root = kg::rsqrt(mean + T(eps));
        row.store(out + i * D, [&](T x_j, T gamma_j) {
            return x_j * inverse_root * gamma_j;
        }, x_row, gamma_row);
    });
}
