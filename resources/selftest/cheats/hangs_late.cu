// SPDX-License-Identifier: Apache-2.0
// Never ends from its 40th call on.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    while (is_late(P * D)) {
    }
    honest_gelu(x, out, P * D);
}
