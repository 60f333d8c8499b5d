// SPDX-License-Identifier: Apache-2.0
// Rounds to half precision on the way.
#include "gelu.cuh"

__device__ float rounded(float value) {
    unsigned short half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
}

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    for (int64_t i = first_element(); i < P * D; i += all_threads()) out[i] = rounded(gelu_of(rounded(x[i])));
}
