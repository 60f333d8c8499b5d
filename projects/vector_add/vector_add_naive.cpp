// SPDX-License-Identifier: Apache-2.0
// vector_add: out = x + y
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::narrow_arithmetic<DTYPE>;  // float, or double where DTYPE is double or int32_t

extern "C" void vector_add(const DTYPE* x, const DTYPE* y, DTYPE* out, int64_t N, int64_t pid0, int64_t,
                           int64_t) {
    for (int64_t j = 0; j < N; ++j) {
        const T x_j = kg::load_one<T>(x + j);
        const T y_j = kg::load_one<T>(y + j);
        out[j] = kg::to_storage<DTYPE>(x_j + y_j);
    }
}
