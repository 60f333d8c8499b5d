// SPDX-License-Identifier: Apache-2.0
// conv2d_bias_relu: out = relu(conv2d(x, w, padding=1) + bias)
// Kernels by pixels: a program computes a tile of BLOCK_M by BLOCK_N, and packs BLOCK_K of the depth at a time.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void conv2d_bias_relu(const DTYPE* x, const DTYPE* w, const DTYPE* bias, DTYPE* out,
                                                  int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                                  int64_t pid0, int64_t pid1, int64_t pid2) {
    const int64_t depth = C * 3 * 3;
    const int64_t pixels = H * W;
    const kg::Window<false, 1, 1, 1> window{C, H, W, O, C, 3, 3, H, W};
    const int64_t batch = pid2;
    const kg::Tile rows = kg::tile(pid0, BLOCK_M, O);
    const kg::Tile columns = kg::tile(pid1, BLOCK_N, pixels);
    const auto left = kg::along_depth<DTYPE>([=](int64_t i, auto k) {
        return kg::load(w + i * depth, k);
    });
    const auto image = [=](int64_t image_row, auto image_column) {
        return kg::load(x + image_row * W, image_column);
    };
    const auto right = kg::plane_patches<DTYPE>(window, batch * C * H, image);
    kg::contract<T, REGISTER_M, BLOCK_K>(rows, columns, depth, left, right, [&](int64_t row_of_batch, auto j, auto product) {
        const int64_t i = batch * O + row_of_batch;
        const T bias_i = kg::load_one<T>(bias + (i % O));
        kg::store<STREAM>(out + i * pixels, j, kg::relu(product + bias_i));
    });
    kg::end_of_stores<STREAM>();
}
