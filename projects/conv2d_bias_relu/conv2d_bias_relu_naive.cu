// SPDX-License-Identifier: Apache-2.0
// conv2d_bias_relu: out = relu(conv2d(x, w, padding=1) + bias)
// A thread computes one element: it adds up its window of the image.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void conv2d_bias_relu(const DTYPE* __restrict__ x, const DTYPE* __restrict__ w,
                                            const DTYPE* __restrict__ bias, DTYPE* __restrict__ out, int64_t N,
                                            int64_t C, int64_t H, int64_t W, int64_t O) {
    const int64_t element = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= N * O * H * W) return;
    const int64_t i = element / W, j = element % W;
    const kg::Window<false, 1, 1, 1> window{C, H, W, O, C, 3, 3, H, W};
    const auto image = [=](int64_t image_row, int64_t image_column) {
        return kg::load_one<T>(x + image_row * W + image_column);
    };
    const auto kernels = [=](int64_t kernels_row, int64_t kernels_column) {
        return kg::load_one<T>(w + kernels_row * 3 + kernels_column);
    };
    const T product = kg::window_product<T>(window, i, j, image, kernels);
    const T bias_i = kg::load_one<T>(bias + (i / H % O));
    out[i * W + j] = kg::to_storage<DTYPE>(kg::relu(product + bias_i));
}
