// SPDX-License-Identifier: Apache-2.0
// Writes one element too many.
#include <stdint.h>

extern "C" __global__ void past_the_end(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i <= N) out[i] = i < N ? x[i] + 1 : 0;
}
