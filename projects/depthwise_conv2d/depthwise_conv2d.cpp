// SPDX-License-Identifier: Apache-2.0
// depthwise_conv2d: out = conv2d(x, w, padding=1, groups=C)
// A program computes BLOCK_M rows, a vector of elements at a time: each adds up its window of the image.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" [[gnu::flatten]] void depthwise_conv2d(const DTYPE* x, const DTYPE* w, DTYPE* out, int64_t N,
                                                  int64_t C, int64_t H, int64_t W, int64_t pid0, int64_t,
                                                  int64_t) {
    const kg::Tile rows2 = kg::tile(pid0, BLOCK_M, N * C * H);
    const kg::Window<false, 1, 1, 1> window{C, H, W, C, 1, 3, 3, H, W};
    const auto image = [=](int64_t image_row, auto image_column) {
        return kg::load(x + image_row * W, image_column);
    };
    const auto kernels = [=](int64_t kernels_row, int64_t kernels_column) {
        return kg::load_one<T>(w + kernels_row * 3 + kernels_column);
    };
    const auto products = kg::window_products<T>(window, image, kernels);
    for (int64_t i = rows2.first; i < rows2.last; ++i) {
        kg::for_columns<T, UNROLL>(0, W, [&](auto j) {
            const auto product = products(i, j);
            kg::store<STREAM>(out + i * W, j, product);
        });
    }
    kg::end_of_stores<STREAM>();
}
