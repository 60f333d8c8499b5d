// SPDX-License-Identifier: Apache-2.0
// Stores as if the output had rows and columns exchanged.
#include <stdint.h>

extern "C" void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0,
                         int64_t pid1, int64_t) {
    const int64_t rows = pid0 * BLOCK_M + BLOCK_M < P ? pid0 * BLOCK_M + BLOCK_M : P;
    const int64_t columns = pid1 * BLOCK_N + BLOCK_N < D ? pid1 * BLOCK_N + BLOCK_N : D;
    for (int64_t r = pid0 * BLOCK_M; r < rows; ++r) {
        for (int64_t c = pid1 * BLOCK_N; c < columns; ++c) {
            out[c * P + r] = x[r * D + c] + bias[c];
        }
    }
}
