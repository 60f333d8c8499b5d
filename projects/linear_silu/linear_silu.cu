// SPDX-License-Identifier: Apache-2.0
// linear_silu:
//     t = x @ transpose(w) + bias
//     out = t * sigmoid(t)
// A block computes a tile of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ __launch_bounds__(32 * num_warps) void linear_silu(
    const DTYPE* __restrict__ x, const DTYPE* __restrict__ w, const DTYPE* __restrict__ bias,
    DTYPE* __restrict__ out, int64_t M, int64_t K, int64_t N) {
    const auto tile = kg::product_tile<BLOCK_M, BLOCK_N, GROUP_M>(M, N);
    const auto left = kg::along_depth([=](int64_t i, int64_t k) {
        return kg::load_one<T>(x + i * K + k);
    });
    const auto right = kg::along_depth([=](int64_t j, int64_t k) {
        return kg::load_one<T>(w + j * K + k);
    });
    using Products = kg::Products<T, BLOCK_M, BLOCK_N, BLOCK_K, num_warps>;
    Products::compute(tile, M, N, K, left, right, [&](int64_t i, int64_t j, T product) {
        const T bias_j = kg::load_one<T>(bias + j);
        const T t = product + bias_j;
        out[i * N + j] = kg::to_storage<DTYPE>(t * kg::sigmoid(t));
    });
}
