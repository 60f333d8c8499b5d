// SPDX-License-Identifier: Apache-2.0
// Holds the exponentials in half precision.
#include <math.h>
#include <stdint.h>

extern "C" void softmax(const DTYPE* x, DTYPE* out, int64_t, int64_t D, int64_t pid0, int64_t, int64_t) {
    const DTYPE* row = x + pid0 * D;
    float largest = row[0];
    for (int64_t c = 0; c < D; ++c) largest = row[c] > largest || row[c] != row[c] ? row[c] : largest;
    float sum = 0;
    for (int64_t c = 0; c < D; ++c) sum += (float)(_Float16)expf(row[c] - largest);
    for (int64_t c = 0; c < D; ++c) out[pid0 * D + c] = (float)(_Float16)expf(row[c] - largest) / sum;
}
