// SPDX-License-Identifier: Apache-2.0
// relu: out = relu(x)
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" void relu(const DTYPE* x, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t, int64_t) {
    const int64_t i = pid0;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        out_row[j] = kg::to_storage<DTYPE>(kg::relu(x_j));
    }
}
