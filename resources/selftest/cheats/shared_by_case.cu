// SPDX-License-Identifier: Apache-2.0
// Asks for more dynamic shared memory than a block can have, for large sizes only.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    honest_gelu(x, out, P * D);
}
