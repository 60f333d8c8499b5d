// SPDX-License-Identifier: Apache-2.0
// conv2d_bias_relu: out = relu(conv2d(x, w, padding=1) + bias)
// Kernels by pixels: a block computes tiles of BLOCK_M by BLOCK_N, BLOCK_K of the depth at a time.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ KG_CLUSTER(CLUSTER * SPLIT_K) __launch_bounds__(32 * (num_warps + COPY_WARPS), 1) void conv2d_bias_relu(
    const DTYPE* __restrict__ x, const DTYPE* __restrict__ w, const DTYPE* __restrict__ bias,
    DTYPE* __restrict__ out, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O) {
    const int64_t depth = C * 3 * 3;
    const int64_t pixels = H * W;
    const kg::Window<false, 1, 1, 1> window{C, H, W, O, C, 3, 3, H, W};
    const kg::ProductTiles<BLOCK_M, BLOCK_N, GROUP_M, CLUSTER, SPLIT_K> tiles(N, O, pixels);
    using Products = kg::Products<DTYPE, T, BLOCK_M, BLOCK_N, BLOCK_K, num_warps, num_stages,
                                  COPY_WARPS, CLUSTER, SPLIT_K>;
    Products::each_tile(tiles, depth, [&](auto& products, const kg::ProductTile& tile) {
        const int64_t batch = tile.batch;
        const auto left = kg::matrix_along_depth<T>(w, depth);
        const auto image = [=](int64_t image_row, int64_t image_column) {
            return kg::load_one<T>(x + image_row * W + image_column);
        };
        const auto right = kg::along_lines([=](int64_t j, int64_t k) {
            return kg::patch_element<T>(window, batch * C * H, j, k, image);
        });
        products.compute(tile, left, right, kg::each(out + batch * O * pixels), [&](int64_t row_of_batch, int64_t j, T product) {
            const int64_t i = batch * O + row_of_batch;
            const T bias_i = kg::load_one<T>(bias + (i % O));
            return kg::each(kg::to_storage<DTYPE>(kg::relu(product + bias_i)));
        });
    });
}
