// SPDX-License-Identifier: Apache-2.0
// Leaves out a single element from its 40th call on.
#include "gelu.cuh"

extern "C" __global__ void gelu(const float* x, float* out, int64_t P, int64_t D) {
    const bool is_wrong = is_late(P * D);
    for (int64_t i = first_element(); i < P * D; i += all_threads()) {
        out[i] = is_wrong && i == P * D / 3 ? 0 : gelu_of(x[i]);
    }
}
