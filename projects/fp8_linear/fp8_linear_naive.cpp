// SPDX-License-Identifier: Apache-2.0
// fp8_linear: out = (x @ transpose(w)) * x_scale * w_scale + bias
// One row a program, one product after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void fp8_linear(const kg_f8e4m3* x, const kg_f8e4m3* w, const float* x_scale, const float* w_scale,
                           const DTYPE* bias, DTYPE* out, int64_t M, int64_t K, int64_t N, int64_t pid0, int64_t,
                           int64_t) {
    const int64_t i = pid0;
    const auto left = [=](int64_t i, int64_t k) {
        return kg::load_one<T>(x + i * K + k);
    };
    const auto right = [=](int64_t j, int64_t k) {
        return kg::load_one<T>(w + j * K + k);
    };
    T* const sums = kg::row_buffer<T, 0>(N).data;
    for (int64_t j = 0; j < N; ++j) sums[j] = 0;
    for (int64_t k = 0; k < K; ++k) {
        const T value = left(i, k);
        for (int64_t j = 0; j < N; ++j) sums[j] += value * right(j, k);
    }
    for (int64_t j = 0; j < N; ++j) {
        const T product = sums[j];
        const T x_scale_i = kg::load_one<T>(x_scale + i);
        const T w_scale_j = kg::load_one<T>(w_scale + j);
        const T bias_j = kg::load_one<T>(bias + j);
        out[i * N + j] = kg::to_storage<DTYPE>(product * x_scale_i * w_scale_j + bias_j);
    }
}
