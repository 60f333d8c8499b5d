// SPDX-License-Identifier: Apache-2.0
// An array of a thread is indexed by numbers that the compiler does not know.
#include "kernelgen.cuh"

extern "C" __global__ void slow(const float* __restrict__ x, float* __restrict__ out, int64_t P, int64_t D) {
    const int64_t first = (int64_t(blockIdx.x) * blockDim.x) * 16 + threadIdx.x;
    const float one = P > 0 ? 1.0f : 2.0f;  // which the compiler does not know
    float values[16];
    for (int k = 0; k < 16; ++k) {
        const int64_t i = first + int64_t(k) * blockDim.x;
        values[(k + P) % 16] = i < P * D ? x[i] : 0.0f;
    }
    for (int turn = 0; turn < 8; ++turn) {
        for (int k = 0; k < 16; ++k) values[(k + D + turn) % 16] *= one;
    }
    for (int k = 0; k < 16; ++k) {
        const int64_t i = first + int64_t(k) * blockDim.x;
        if (i < P * D) out[i] = 2.0f * values[(k + P) % 16];
    }
}
