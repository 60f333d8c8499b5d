// SPDX-License-Identifier: Apache-2.0
// A program computes a column: each element lies in another cache line.
#include <stdint.h>

extern "C" void slow(const float* x, float* out, int64_t P, int64_t D, int64_t pid0, int64_t pid1, int64_t) {
    for (int64_t i = 0; i < P; ++i) out[i * D + pid0] = 2.0f * x[i * D + pid0];
}
