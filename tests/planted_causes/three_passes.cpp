// SPDX-License-Identifier: Apache-2.0
// Three passes over rows that no cache holds.
#include <stdint.h>

constexpr int64_t lanes = 32;

static float row_total(const float* row, int64_t D, float shift, float factor) {
    float sums[lanes] = {};
    for (int64_t j = 0; j + lanes <= D; j += lanes) {
        for (int64_t k = 0; k < lanes; ++k)
            sums[k] += (row[j + k] - shift) * (factor * (row[j + k] - shift) + 1.0f - factor);
    }
    float total = 0;
    for (int64_t k = 0; k < lanes; ++k) total += sums[k];
    for (int64_t j = D / lanes * lanes; j < D; ++j)
        total += (row[j] - shift) * (factor * (row[j] - shift) + 1.0f - factor);
    return total;
}

extern "C" void slow(const float* x, float* out, int64_t P, int64_t D, int64_t pid0, int64_t pid1, int64_t) {
    const float* const row = x + pid0 * D;
    const float mean = row_total(row, D, 0.0f, 0.0f) / D;
    const float variance = row_total(row, D, mean, 1.0f) / D;
    for (int64_t j = 0; j < D; ++j) out[pid0 * D + j] = (row[j] - mean) / (variance + 1.0f);
}
