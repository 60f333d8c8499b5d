// SPDX-License-Identifier: Apache-2.0
// Consecutive blocks lie a row apart, and each reads 256 bytes.
#include "kernelgen.cuh"

extern "C" __global__ void slow(const float* __restrict__ x, float* __restrict__ out, int64_t P, int64_t D) {
    const int64_t i = blockIdx.x, j = int64_t(blockIdx.y) * blockDim.x + threadIdx.x;
    if (j < D) out[i * D + j] = 2.0f * x[i * D + j];
}
