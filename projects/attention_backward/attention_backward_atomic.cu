// SPDX-License-Identifier: Apache-2.0
// attention_backward: dq, dk, dv = attention_backward(q, k, v, out, lse, dout, causal=1)
// A kernel of columns for all gradients: several blocks add to those of the queries, in no fixed order.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void attention_backward_clear(const DTYPE* __restrict__ q, const DTYPE* __restrict__ k,
                                                    const DTYPE* __restrict__ v, const DTYPE* __restrict__ out,
                                                    const float* __restrict__ lse,
                                                    const DTYPE* __restrict__ dout, DTYPE* __restrict__ dq,
                                                    DTYPE* __restrict__ dk, DTYPE* __restrict__ dv, int64_t B,
                                                    int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M,
                                                    float* query_sums) {
    T* const all_sums = reinterpret_cast<T*>(query_sums);
    const int64_t step = int64_t(kg::block_count()) * kg::block_size();
    for (int64_t i = int64_t(kg::block_index()) * kg::block_size() + kg::thread_index(); i < B * H * N * D; i += step) {
        all_sums[i] = T(0);
    }
}

// A tile of columns: it adds over the rows of all heads that share them.
extern "C" __global__ void __launch_bounds__(32 * num_warps) attention_backward_keys(
    const DTYPE* __restrict__ q, const DTYPE* __restrict__ k, const DTYPE* __restrict__ v,
    const DTYPE* __restrict__ out, const float* __restrict__ lse, const DTYPE* __restrict__ dout,
    DTYPE* __restrict__ dq, DTYPE* __restrict__ dk, DTYPE* __restrict__ dv, int64_t B, int64_t H, int64_t N,
    int64_t D, int64_t Hk, int64_t M, float* query_sums) {
    const int64_t column_blocks = (M + BLOCK_N - 1) / BLOCK_N, column_block = kg::block_index();
    const int64_t kv_head = column_block / column_blocks;
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto keys = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(k + (kv_head * M + i) * D + d);
    };
    const auto values = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(v + (kv_head * M + i) * D + d);
    };
    kg::AttentionGradients<T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps>::OfKeys sums({column_block % column_blocks * BLOCK_N, M}, D);
    // Heads of a group share keys.
    const int64_t last_head = kv_head / Hk * H + (kv_head % Hk + 1) * (H / Hk);
    for (int64_t head = last_head - H / Hk; head < last_head; ++head) {
        const auto queries = [=](int64_t i, int64_t d) {
            return kg::load_one<T>(q + (head * N + i) * D + d);
        };
        const auto gradients = [=](int64_t i, int64_t d) {
            return kg::load_one<T>(dout + (head * N + i) * D + d);
        };
        const auto results = [=](int64_t i, int64_t d) {
            return kg::load_one<T>(out + (head * N + i) * D + d);
        };
        const auto log_sum = [=](int64_t i) {
            return kg::load_one<T>(lse + head * N + i);
        };
        const auto seen = [=](int64_t i) {
            return kg::SeenColumns{0, i + M - N + 1};
        };
        const auto logit = [=](int64_t i, int64_t j, T product) {
            return product * scale;
        };
        const auto slope = [](T) { return T(1); };
        const kg::GradientRows rows_of_head{queries, gradients, results, log_sum, seen, logit, slope, kg::NoDropout{}};
        sums.add(N, M, rows_of_head, keys, values, kg::QuerySums<T>{reinterpret_cast<T*>(query_sums) + head * N * D});
    }
    const auto key_output = [=](int64_t i, int64_t d, T value) {
        *(dk + (kv_head * M + i) * D + d) = kg::to_storage<DTYPE>(value);
    };
    const auto value_output = [=](int64_t i, int64_t d, T value) {
        *(dv + (kv_head * M + i) * D + d) = kg::to_storage<DTYPE>(value);
    };
    sums.finish(scale, key_output, value_output);
}

extern "C" __global__ void attention_backward_queries(const DTYPE* __restrict__ q, const DTYPE* __restrict__ k,
                                                      const DTYPE* __restrict__ v, const DTYPE* __restrict__ out,
                                                      const float* __restrict__ lse,
                                                      const DTYPE* __restrict__ dout, DTYPE* __restrict__ dq,
                                                      DTYPE* __restrict__ dk, DTYPE* __restrict__ dv, int64_t B,
                                                      int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M,
                                                      float* query_sums) {
    T* const all_sums = reinterpret_cast<T*>(query_sums);
    const T scale = T(1 / kg::sqrt(double(D)));
    const int64_t step = int64_t(kg::block_count()) * kg::block_size();
    for (int64_t i = int64_t(kg::block_index()) * kg::block_size() + kg::thread_index(); i < B * H * N * D; i += step) {
        dq[i] = kg::to_storage<DTYPE>(all_sums[i] * scale);
    }
}
