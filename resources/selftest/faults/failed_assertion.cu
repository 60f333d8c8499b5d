// SPDX-License-Identifier: Apache-2.0
// Stops itself, as a failed assertion does.
#include <stdint.h>

extern "C" __global__ void failed_assertion(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < N) out[i] = x[i] + 1;
    if (i == 0) asm volatile("trap;");
}
