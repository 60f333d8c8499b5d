// SPDX-License-Identifier: Apache-2.0
// quantize:
//     scale = max(row_max(abs(x)), 1e-12) / 448
//     q = clamp(x / scale, -448, 448)
// A block computes one row, a thread every 256th element: what is tuned must be faster than this.
#define KG_PRECISE  // an output may be more precise than DTYPE
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void quantize(const DTYPE* __restrict__ x, kg_f8e4m3* __restrict__ q,
                                    float* __restrict__ scale, int64_t M, int64_t K) {
    const int64_t i = blockIdx.x;
    const DTYPE* const x_row = x + i * K;
    kg_f8e4m3* const q_row = q + i * K;
    T largest_so_far = -kg::infinity<T>;
    for (int64_t j = threadIdx.x; j < K; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        largest_so_far = kg::maximum(largest_so_far, kg::abs(x_j));
    }
    const T largest = kg::block_max(largest_so_far);
    const T scale_i = kg::maximum(largest, T(1e-12)) / T(448);
    for (int64_t j = threadIdx.x; j < K; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        q_row[j] = kg::to_storage<kg_f8e4m3>(kg::clamp(x_j / scale_i, T(-448), T(448)));
    }
    if (threadIdx.x == 0) scale[i] = kg::to_storage<float>(scale_i);
}
