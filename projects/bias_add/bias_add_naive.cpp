// SPDX-License-Identifier: Apache-2.0
// bias_add: out = x + bias
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0,
                         int64_t, int64_t) {
    const int64_t i = pid0;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T bias_j = kg::load_one<T>(bias + j);
        out_row[j] = kg::to_storage<DTYPE>(x_j + bias_j);
    }
}
