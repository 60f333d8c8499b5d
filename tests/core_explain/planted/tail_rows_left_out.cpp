// SPDX-License-Identifier: Apache-2.0
// Writes zeros into the rows that do not fill a tile.
#include <stdint.h>

extern "C" void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0,
                         int64_t pid1, int64_t) {
    const int64_t full_rows = P / BLOCK_M * BLOCK_M;
    for (int64_t r = pid0 * BLOCK_M; r < (pid0 + 1) * BLOCK_M && r < P; ++r) {
        for (int64_t c = pid1 * BLOCK_N; c < (pid1 + 1) * BLOCK_N && c < D; ++c)
            out[r * D + c] = r < full_rows ? x[r * D + c] + bias[c] : (DTYPE)0;
    }
}
