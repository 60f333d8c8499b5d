// SPDX-License-Identifier: Apache-2.0
// quantize:
//     scale = max(row_max(abs(x)), 1e-12) / 448
//     q = clamp(x / scale, -448, 448)
// One row a program, one element after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void quantize(const DTYPE* x, kg_f8e4m3* q, float* scale, int64_t M, int64_t K, int64_t pid0, int64_t,
                         int64_t) {
    const int64_t i = pid0;
    const DTYPE* const x_row = x + i * K;
    kg_f8e4m3* const q_row = q + i * K;
    T largest_so_far = -kg::infinity<T>;
    for (int64_t j = 0; j < K; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        largest_so_far = kg::maximum(largest_so_far, kg::abs(x_j));
    }
    const T largest = largest_so_far;
    const T scale_i = kg::maximum(largest, T(1e-12)) / T(448);
    for (int64_t j = 0; j < K; ++j) {
        const T x_j = kg::load_one<T>(x_row + j);
        q_row[j] = kg::to_storage<kg_f8e4m3>(kg::clamp(x_j / scale_i, T(-448), T(448)));
    }
    scale[i] = kg::to_storage<float>(scale_i);
}
