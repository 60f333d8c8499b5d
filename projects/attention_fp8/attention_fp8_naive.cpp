// SPDX-License-Identifier: Apache-2.0
// attention_fp8: out = attention(q, k, v, q_scale=q_scale, k_scale=k_scale, v_scale=v_scale)
// One row a program, one column after the other: what is tuned must be faster than this.
#include "kernelgen.h"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" void attention_fp8(const kg_f8e4m3* q, const kg_f8e4m3* k, const kg_f8e4m3* v, const float* q_scale,
                              const float* k_scale, const float* v_scale, DTYPE* out, int64_t B, int64_t H,
                              int64_t N, int64_t D, int64_t Hk, int64_t M, int64_t P, int64_t R, int64_t pid0,
                              int64_t, int64_t) {
    const int64_t head = pid0 / N;
    const int64_t kv_head = head / (H / Hk);  // heads of a group share keys
    const int64_t i = pid0 % N;
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto logit = [=](int64_t i, int64_t j, T product) {
        return product * scale;
    };
    const auto* const query = q + (head * N + i) * D;
    T* const sums = kg::row_buffer<T, 0>(D).data;
    for (int64_t d = 0; d < D; ++d) sums[d] = 0;
    T largest = -kg::infinity<T>, total = 0;
    const int64_t first = 0, last = M;
    for (int64_t j = first < 0 ? 0 : first; j < last && j < M; ++j) {
        const auto* const key = k + (kv_head * M + j) * D;
        const auto* const values = v + (kv_head * M + j) * D;
        T product = 0;
        for (int64_t d = 0; d < D; ++d) product += kg::load_one<T>(query + d) * kg::load_one<T>(key + d);
        const T x = logit(i, j, product * kg::load_one<T>(q_scale + head * ((N + 127) / 128) + i / 128) * kg::load_one<T>(k_scale + kv_head * ((M + 127) / 128) + j / 128));
        if (x == -kg::infinity<T>) continue;
        if (x > largest) {  // what was added before is relative to a smaller one
            const T kept = kg::exp(largest - x);
            largest = x;
            total *= kept;
            for (int64_t d = 0; d < D; ++d) sums[d] *= kept;
        }
        const T weight = kg::exp(x - largest);
        total += weight;
        for (int64_t d = 0; d < D; ++d) sums[d] += weight * kg::load_one<T>(v_scale + kv_head * ((M + 127) / 128) + j / 128) * kg::load_one<T>(values + d);
    }
    // A row that sees nothing is 0.
    for (int64_t d = 0; d < D; ++d) out[pid0 * D + d] = kg::to_storage<DTYPE>(total == 0 ? T(0) : sums[d] / total);
}
