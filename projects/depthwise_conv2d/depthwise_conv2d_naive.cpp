// SPDX-License-Identifier: Apache-2.0
// depthwise_conv2d: out = conv2d(x, w, padding=1, groups=C)
// One row a program: each element adds up its window of the image.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void depthwise_conv2d(const DTYPE* x, const DTYPE* w, DTYPE* out, int64_t N, int64_t C, int64_t H,
                                 int64_t W, int64_t pid0, int64_t, int64_t) {
    const int64_t i = pid0;
    const kg::Window<false, 1, 1, 1> window{C, H, W, C, 1, 3, 3, H, W};
    const auto image = [=](int64_t image_row, int64_t image_column) {
        return kg::load_one<T>(x + image_row * W + image_column);
    };
    const auto kernels = [=](int64_t kernels_row, int64_t kernels_column) {
        return kg::load_one<T>(w + kernels_row * 3 + kernels_column);
    };
    for (int64_t j = 0; j < W; ++j) {
        const T product = kg::window_product<T>(window, i, j, image, kernels);
        out[i * W + j] = kg::to_storage<DTYPE>(product);
    }
}
