// SPDX-License-Identifier: Apache-2.0
// depthwise_conv2d: out = conv2d(x, w, padding=1, groups=C)
// A block goes down STRIP rows of the images: a thread has VEC bytes of each, and the sums of a few rows in registers.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ __launch_bounds__(32 * num_warps, (sizeof(T) > 4 ? 256 : 640) / (32 * num_warps)) void depthwise_conv2d(
    const DTYPE* __restrict__ x, const DTYPE* __restrict__ w, DTYPE* __restrict__ out, int64_t N, int64_t C,
    int64_t H, int64_t W) {
    const kg::Window<false, 1, 1, 1> window{C, H, W, C, 1, 3, 3, H, W};
    const auto kernels = [=](int64_t kernels_row, int64_t kernels_column) {
        return kg::load_one<T>(w + kernels_row * 3 + kernels_column);
    };
    kg::sliding_windows<T, 3, 3, kg::pack_size<VEC>, STRIP, num_warps, num_stages>(
        window, N * C * H, x, kernels, kg::each(out), [&](int64_t i, int64_t j, T product) {
        return kg::each(kg::to_storage<DTYPE>(product));
    });
}
