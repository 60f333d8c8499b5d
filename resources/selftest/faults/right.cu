// SPDX-License-Identifier: Apache-2.0
// Right: what comes after hostile kernels must be as well.
#include <stdint.h>

extern "C" __global__ void right(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < N) out[i] = x[i] + 1;
}
