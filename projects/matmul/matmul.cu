// SPDX-License-Identifier: Apache-2.0
// matmul: out = a @ b
// A block computes a tile of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ __launch_bounds__(32 * num_warps) void matmul(
    const DTYPE* __restrict__ a, const DTYPE* __restrict__ b, DTYPE* __restrict__ out, int64_t M, int64_t K,
    int64_t N) {
    const auto tile = kg::product_tile<BLOCK_M, BLOCK_N, GROUP_M>(M, N);
    const auto left = kg::along_depth([=](int64_t i, int64_t k) {
        return kg::load_one<T>(a + i * K + k);
    });
    const auto right = kg::along_lines([=](int64_t j, int64_t k) {
        return kg::load_one<T>(b + k * N + j);
    });
    using Products = kg::Products<T, BLOCK_M, BLOCK_N, BLOCK_K, num_warps>;
    Products::compute(tile, M, N, K, left, right, [&](int64_t i, int64_t j, T product) {
        out[i * N + j] = kg::to_storage<DTYPE>(product);
    });
}
