// SPDX-License-Identifier: Apache-2.0
// broadcast: out = bias
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" void broadcast(const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t, int64_t) {
    const int64_t i = pid0;
    DTYPE* const out_row = out + i * D;
    for (int64_t j = 0; j < D; ++j) {
        const T bias_j = kg::load_one<T>(bias + j);
        out_row[j] = kg::to_storage<DTYPE>(bias_j);
    }
}
