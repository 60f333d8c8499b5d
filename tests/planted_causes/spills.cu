// SPDX-License-Identifier: Apache-2.0
// A thread holds 64 values, and its launch bounds leave it 32 registers. Right for rows of at most 2048 elements.
#include "kernelgen.cuh"

extern "C" __global__ void __launch_bounds__(1024, 2)
    slow(const float* __restrict__ x, float* __restrict__ out, int64_t P, int64_t D) {
    constexpr int held = 64;  // of a row of 32 * held elements
    const int64_t i = int64_t(blockIdx.x) * 32 + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (i >= P) return;
    float values[held], sum = 0;
#pragma unroll
    for (int k = 0; k < held; ++k) {
        values[k] = 32 * k + lane < D ? x[i * D + 32 * k + lane] : 0.0f;
        sum += values[k] * values[k];
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
#pragma unroll
    for (int k = 0; k < held; ++k) {
        if (32 * k + lane < D) out[i * D + 32 * k + lane] = values[k] / (sum + 1.0f);
    }
}
