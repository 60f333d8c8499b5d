// SPDX-License-Identifier: Apache-2.0
// Reads what nobody allocated.
#include <stdint.h>

extern "C" __global__ void illegal_address(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < N) out[i] = x[i + (int64_t(1) << 40)] + 1;
}
