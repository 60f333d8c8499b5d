// SPDX-License-Identifier: Apache-2.0
// Leaves the last element as it was.
#include <stdint.h>

extern "C" __global__ void leaves_the_last(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < N - 1) out[i] = x[i] + 1;
}
