// SPDX-License-Identifier: Apache-2.0
// One thread of a block adds up the row.
#include "kernelgen.cuh"

extern "C" __global__ void slow(const float* __restrict__ x, float* __restrict__ out, int64_t P, int64_t D) {
    __shared__ float sum;
    const int64_t i = blockIdx.x;
    if (threadIdx.x == 0) {
        float total = 0;
        for (int64_t j = 0; j < D; ++j) total += x[i * D + j];
        sum = total;
    }
    __syncthreads();
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) out[i * D + j] = x[i * D + j] - sum;
}
