// SPDX-License-Identifier: Apache-2.0
// Is launched with more threads than a block can have.
#include <stdint.h>

extern "C" __global__ void too_many_threads(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < N) out[i] = x[i] + 1;
}
