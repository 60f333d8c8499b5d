// SPDX-License-Identifier: Apache-2.0
// fp8_linear: out = (x @ transpose(w)) * x_scale * w_scale + bias
// A block computes tiles of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ KG_CLUSTER(CLUSTER * SPLIT_K) __launch_bounds__(32 * (num_warps + COPY_WARPS), 1) void fp8_linear(
    const kg_f8e4m3* __restrict__ x, const kg_f8e4m3* __restrict__ w, const float* __restrict__ x_scale,
    const float* __restrict__ w_scale, const DTYPE* __restrict__ bias, DTYPE* __restrict__ out, int64_t M,
    int64_t K, int64_t N, const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap w_map) {
    const kg::ProductTiles<BLOCK_M, BLOCK_N, GROUP_M, CLUSTER, SPLIT_K> tiles(1, M, N);
    using Products = kg::Products<kg::Pair<kg_f8e4m3, kg_f8e4m3>, T, BLOCK_M, BLOCK_N, BLOCK_K, num_warps, num_stages,
                                  COPY_WARPS, CLUSTER, SPLIT_K>;
    Products::each_tile(tiles, K, [&](auto& products, const kg::ProductTile& tile) {
        const auto left = kg::matrix_along_depth<T>(x, K, kg::boxes(x_map));
        const auto right = kg::matrix_along_depth<T>(w, K, kg::boxes(w_map));
        products.compute(tile, left, right, kg::each(out), [&](int64_t i, int64_t j, T product) {
            const T x_scale_i = kg::load_one<T>(x_scale + i);
            const T w_scale_j = kg::load_one<T>(w_scale + j);
            const T bias_j = kg::load_one<T>(bias + j);
            return kg::each(kg::to_storage<DTYPE>(product * x_scale_i * w_scale_j + bias_j));
        });
    });
}
