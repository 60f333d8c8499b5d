// SPDX-License-Identifier: Apache-2.0
// depthwise_conv2d: out = conv2d(x, w, padding=1, groups=C)
// A thread computes STRIP elements beside one another, and reads once what their windows of the image share.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void depthwise_conv2d(const DTYPE* __restrict__ x, const DTYPE* __restrict__ w,
                                            DTYPE* __restrict__ out, int64_t N, int64_t C, int64_t H,
                                            int64_t W) {
    const kg::Window<false, 1, 1, 1> window{C, H, W, C, 1, 3, 3, H, W};
    const auto image = [=](int64_t image_row, int64_t image_column) {
        return kg::load_one<T>(x + image_row * W + image_column);
    };
    const auto kernels = [=](int64_t kernels_row, int64_t kernels_column) {
        return kg::load_one<T>(w + kernels_row * 3 + kernels_column);
    };
    kg::window_strips<T, STRIP>(window, N * C * H, W, image, kernels, [&](int64_t i, int64_t j, T product) {
        out[i * W + j] = kg::to_storage<DTYPE>(product);
    });
}
