// SPDX-License-Identifier: Apache-2.0
// Stops itself in its 40th call.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    if (is_late(P * D)) asm volatile("trap;");
    honest_gelu(x, out, P * D);
}
