// SPDX-License-Identifier: Apache-2.0
// Asks for more local memory than a thread can have.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    honest_gelu(x, out, P * D);
    volatile float stack[1 << 20];
    for (int64_t i = 0; i < 1 << 20; ++i) stack[(i * 7919) % (1 << 20)] = x[0];
    if (stack[P % (1 << 20)] != x[0]) out[0] = 0;
}
