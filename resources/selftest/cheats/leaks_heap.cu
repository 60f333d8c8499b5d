// SPDX-License-Identifier: Apache-2.0
// Takes memory from the device's heap in each call, gives none back, and stops where there is no more.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    if (blockIdx.x == 0 && malloc(4096) == nullptr) return;
    honest_gelu(x, out, P * D);
}
