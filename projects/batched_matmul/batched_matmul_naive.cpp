// SPDX-License-Identifier: Apache-2.0
// batched_matmul: out = a @ b
// One row a program, one product after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void batched_matmul(const DTYPE* a, const DTYPE* b, DTYPE* out, int64_t B, int64_t M, int64_t K,
                               int64_t N, int64_t pid0, int64_t, int64_t) {
    const int64_t i = pid0;
    const int64_t batch = i / M;
    const auto left = [=](int64_t i, int64_t k) {
        const int64_t left_row = batch * M + i;
        return kg::load_one<T>(a + left_row * K + k);
    };
    const auto right = [=](int64_t j, int64_t k) {
        const int64_t right_row = batch * K + k;
        return kg::load_one<T>(b + right_row * N + j);
    };
    T* const sums = kg::row_buffer<T, 0>(N).data;
    for (int64_t j = 0; j < N; ++j) sums[j] = 0;
    for (int64_t k = 0; k < K; ++k) {
        const T value = left(i % M, k);
        for (int64_t j = 0; j < N; ++j) sums[j] += value * right(j, k);
    }
    for (int64_t j = 0; j < N; ++j) {
        const T product = sums[j];
        out[i * N + j] = kg::to_storage<DTYPE>(product);
    }
}
