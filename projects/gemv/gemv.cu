// SPDX-License-Identifier: Apache-2.0
// gemv: out = x @ transpose(w)
// A block computes tiles of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ KG_CLUSTER(CLUSTER * SPLIT_K) __launch_bounds__(32 * (num_warps + COPY_WARPS), 1) void gemv(
    const DTYPE* __restrict__ x, const DTYPE* __restrict__ w, DTYPE* __restrict__ out, int64_t M, int64_t K,
    int64_t N, const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap w_map) {
    const kg::ProductTiles<BLOCK_M, BLOCK_N, GROUP_M, CLUSTER, SPLIT_K> tiles(1, M, N);
    using Products = kg::Products<DTYPE, T, BLOCK_M, BLOCK_N, BLOCK_K, num_warps, num_stages,
                                  COPY_WARPS, CLUSTER, SPLIT_K>;
    Products::each_tile(tiles, K, [&](auto& products, const kg::ProductTile& tile) {
        const auto left = kg::matrix_along_depth<T>(x, K, kg::boxes(x_map));
        const auto right = kg::matrix_along_depth<T>(w, K, kg::boxes(w_map));
        products.compute(tile, left, right, kg::each(out), [&](int64_t i, int64_t j, T product) {
            return kg::each(kg::to_storage<DTYPE>(product));
        });
    });
}
