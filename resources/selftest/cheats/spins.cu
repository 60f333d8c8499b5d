// SPDX-License-Identifier: Apache-2.0
// Spins for a while after its work: it is slow, whatever a clock says.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    honest_gelu(x, out, P * D);
    const long long start = clock64();
    while (clock64() - start < 30000) {
    }
}
