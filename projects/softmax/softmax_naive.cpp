// SPDX-License-Identifier: Apache-2.0
// softmax:
//     m = row_max(x)
//     e = exp(x - m)
//     out = e / row_sum(e)
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void softmax(const DTYPE* x, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t, int64_t) {
    const int64_t i = pid0;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    T m_so_far = -kg::infinity<T>;
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        m_so_far = kg::maximum(m_so_far, x_j);
    }
    const T m = m_so_far;
    double sum_so_far = 0;
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T e = kg::exp(x_j - m);
        sum_so_far += e;
    }
    const T sum = T(sum_so_far);
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T e = kg::exp(x_j - m);
        out_row[j] = kg::to_storage<DTYPE>(e / sum);
    }
}
