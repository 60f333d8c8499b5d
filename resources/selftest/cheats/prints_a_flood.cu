// SPDX-License-Identifier: Apache-2.0
// Prints a line for each of its blocks.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    honest_gelu(x, out, P * D);
    if (threadIdx.x == 0) printf("block %d has done its part of %lld rows\n", int(blockIdx.x), (long long)P);
}
