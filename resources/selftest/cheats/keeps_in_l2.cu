// SPDX-License-Identifier: Apache-2.0
// Honest, but asks the L2 cache to keep its inputs for the next call: the flush must take them away.
#include "gelu.cuh"

__device__ float load_to_stay(const float* from) {
    float value;
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "{\n"
        "    .reg .b64 policy;\n"
        "    createpolicy.fractional.L2::evict_last.b64 policy, 1.0;\n"
        "    ld.global.L2::cache_hint.f32 %0, [%1], policy;\n"
        "}"
        : "=f"(value)
        : "l"(from));
#else
    value = *from;
#endif
    return value;
}

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    for (int64_t i = first_element(); i < P * D; i += all_threads()) out[i] = gelu_of(load_to_stay(x + i));
}
