// SPDX-License-Identifier: Apache-2.0
// Does one element a thread: right where the grid is as large as the output.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    const int64_t i = first_element();
    if (i < P * D) out[i] = gelu_of(x[i]);
}
