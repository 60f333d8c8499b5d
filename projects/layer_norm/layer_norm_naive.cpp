// SPDX-License-Identifier: Apache-2.0
// layer_norm:
//     d = x - row_mean(x)
//     v = row_var(x)
//     out = d * rsqrt(v + eps) * gamma + beta
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void layer_norm(const DTYPE* x, const DTYPE* gamma, const DTYPE* beta, DTYPE* out, int64_t P,
                           int64_t D, double eps, int64_t pid0, int64_t, int64_t) {
    const int64_t i = pid0;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    double mean_so_far = 0;
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        mean_so_far += x_j;
    }
    const T mean = T(mean_so_far / double(D));
    double v_so_far = 0;
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T d = x_j - mean;
        v_so_far += d * d;
    }
    const T v = T(v_so_far / double(D));
    const T inverse_root = kg::rsqrt(v + T(eps));
    for (int64_t j = 0; j < D; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T d = x_j - mean;
        const T gamma_j = kg::load_one<T>(gamma + j);
        const T beta_j = kg::load_one<T>(beta + j);
        out_row[j] = kg::to_storage<DTYPE>(d * inverse_root * gamma_j + beta_j);
    }
}
