// SPDX-License-Identifier: Apache-2.0
// attention_backward: dq, dk, dv = attention_backward(q, k, v, out, lse, dout, causal=1)
// One kernel of rows for the gradient of the queries, one of columns for those of keys and values.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void attention_backward_queries(const DTYPE* q, const DTYPE* k, const DTYPE* v, const DTYPE* out,
                                           const float* lse, const DTYPE* dout, DTYPE* dq, DTYPE* dk, DTYPE* dv,
                                           int64_t B, int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M,
                                           int64_t pid0, int64_t, int64_t) {
    const int64_t head = pid0 / N;
    const int64_t kv_head = head / (H / Hk);  // heads of a group share keys
    const int64_t i = pid0 % N;
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto logit = [=](int64_t i, int64_t j, T product) {
        return product * scale;
    };
    const auto slope = [](T) { return T(1); };
    const auto* const queries = q + (head * N + i) * D;
    const auto* const gradients = dout + (head * N + i) * D;
    const auto* const results = out + (head * N + i) * D;
    T delta = 0;
    for (int64_t d = 0; d < D; ++d) delta += kg::load_one<T>(gradients + d) * kg::load_one<T>(results + d);
    T* const query_sums = kg::row_buffer<T, 0>(D).data;
    for (int64_t d = 0; d < D; ++d) query_sums[d] = 0;
    const int64_t first = 0, last = i + M - N + 1;
    for (int64_t j = first < 0 ? 0 : first; j < last && j < M; ++j) {
        const auto* const keys = k + (kv_head * M + j) * D;
        const auto* const values = v + (kv_head * M + j) * D;
        T product = 0, value_product = 0;
        for (int64_t d = 0; d < D; ++d) product += kg::load_one<T>(queries + d) * kg::load_one<T>(keys + d);
        for (int64_t d = 0; d < D; ++d) value_product += kg::load_one<T>(gradients + d) * kg::load_one<T>(values + d);
        const T x = logit(i, j, product);
        if (x == -kg::infinity<T>) continue;
        const T weight = kg::exp(x - kg::load_one<T>(lse + head * N + i));
        const T gradient = weight * (value_product - delta) * slope(product);
        for (int64_t d = 0; d < D; ++d) query_sums[d] += gradient * kg::load_one<T>(keys + d);
    }
    for (int64_t d = 0; d < D; ++d) dq[pid0 * D + d] = kg::to_storage<DTYPE>(query_sums[d] * scale);
}

// One column a program: it adds over the rows of all heads that share it.
extern "C" void attention_backward_keys(const DTYPE* q, const DTYPE* k, const DTYPE* v, const DTYPE* out,
                                        const float* lse, const DTYPE* dout, DTYPE* dq, DTYPE* dk, DTYPE* dv,
                                        int64_t B, int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M,
                                        int64_t pid0, int64_t, int64_t) {
    const int64_t kv_head = pid0 / M;
    const int64_t j = pid0 % M;
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto* const keys = k + (kv_head * M + j) * D;
    const auto* const values = v + (kv_head * M + j) * D;
    T* const key_sums = kg::row_buffer<T, 0>(D).data;
    T* const value_sums = kg::row_buffer<T, 1>(D).data;
    for (int64_t d = 0; d < D; ++d) key_sums[d] = value_sums[d] = 0;
    // Heads of a group share keys.
    const int64_t last_head = kv_head / Hk * H + (kv_head % Hk + 1) * (H / Hk);
    for (int64_t head = last_head - H / Hk; head < last_head; ++head) {
        const auto logit = [=](int64_t i, int64_t j, T product) {
            return product * scale;
        };
        const auto slope = [](T) { return T(1); };
        for (int64_t i = 0; i < N; ++i) {
            if (j >= i + M - N + 1 || j >= M) continue;
            const auto* const queries = q + (head * N + i) * D;
            const auto* const gradients = dout + (head * N + i) * D;
            const auto* const results = out + (head * N + i) * D;
            T delta = 0;
            for (int64_t d = 0; d < D; ++d) delta += kg::load_one<T>(gradients + d) * kg::load_one<T>(results + d);
            T product = 0, value_product = 0;
            for (int64_t d = 0; d < D; ++d) product += kg::load_one<T>(queries + d) * kg::load_one<T>(keys + d);
            for (int64_t d = 0; d < D; ++d) value_product += kg::load_one<T>(gradients + d) * kg::load_one<T>(values + d);
            const T x = logit(i, j, product);
            if (x == -kg::infinity<T>) continue;
            const T weight = kg::exp(x - kg::load_one<T>(lse + head * N + i));
            const T gradient = weight * (value_product - delta) * slope(product);
            for (int64_t d = 0; d < D; ++d) key_sums[d] += gradient * kg::load_one<T>(queries + d);
            for (int64_t d = 0; d < D; ++d) value_sums[d] += weight * kg::load_one<T>(gradients + d);
        }
    }
    for (int64_t d = 0; d < D; ++d) dk[pid0 * D + d] = kg::to_storage<DTYPE>(key_sums[d] * scale);
    for (int64_t d = 0; d < D; ++d) dv[pid0 * D + d] = kg::to_storage<DTYPE>(value_sums[d]);
}
