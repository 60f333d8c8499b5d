// SPDX-License-Identifier: Apache-2.0
// gelu: out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void gelu(const DTYPE* x, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t, int64_t) {
    const int64_t i = pid0;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T out_j = T(0.5) * x_j * (T(1) + kg::tanh(T(0.7978845608028654) * (x_j + T(0.044715) * (x_j * x_j * x_j))));
        out_row[j] = kg::to_storage<DTYPE>(out_j);
    }
}
