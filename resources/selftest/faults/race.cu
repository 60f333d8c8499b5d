// SPDX-License-Identifier: Apache-2.0
// All blocks write all elements, with values that differ in their last bits: the last one wins.
#include <stdint.h>

extern "C" __global__ void race(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
        const float value = x[j] + 1;
        out[j] = value + value * 1.2e-7f * float((blockIdx.x * 7 + j) % 4);
    }
}
