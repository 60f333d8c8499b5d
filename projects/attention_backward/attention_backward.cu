// SPDX-License-Identifier: Apache-2.0
// attention_backward: dq, dk, dv = attention_backward(q, k, v, out, lse, dout, causal=1)
// By tensor cores a kernel of columns adds to the gradient of the queries, too, in a fixed order; otherwise each has a kernel.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void attention_backward_clear(const DTYPE* __restrict__ q, const DTYPE* __restrict__ k,
                                                    const DTYPE* __restrict__ v, const DTYPE* __restrict__ out,
                                                    const float* __restrict__ lse,
                                                    const DTYPE* __restrict__ dout, DTYPE* __restrict__ dq,
                                                    DTYPE* __restrict__ dk, DTYPE* __restrict__ dv, int64_t B,
                                                    int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M,
                                                    float* query_sums) {
    #if COPY_WARPS > 0
    kg::GradientRowTiles<DTYPE, BLOCK_M, HEAD_SIZE, num_warps>::begin(query_sums, N, B * H, D, out, dout,
        [=](int64_t row) { return kg::load_one<T>(lse + row); });
    #endif
}

// A tile of columns: it adds over the rows of all heads that share them.
extern "C" __global__ void __launch_bounds__(32 * (num_warps + COPY_WARPS)) attention_backward_keys(
    const DTYPE* __restrict__ q, const DTYPE* __restrict__ k, const DTYPE* __restrict__ v,
    const DTYPE* __restrict__ out, const float* __restrict__ lse, const DTYPE* __restrict__ dout,
    DTYPE* __restrict__ dq, DTYPE* __restrict__ dk, DTYPE* __restrict__ dv, int64_t B, int64_t H, int64_t N,
    int64_t D, int64_t Hk, int64_t M, float* query_sums, const __grid_constant__ CUtensorMap q_map,
    const __grid_constant__ CUtensorMap k_map, const __grid_constant__ CUtensorMap v_map,
    const __grid_constant__ CUtensorMap dout_map) {
    #if COPY_WARPS > 0
    const T scale = T(1 / kg::sqrt(double(D)));
    const int group = int(H / Hk);  // heads that share keys
    using Gradients = kg::TensorGradients<DTYPE, BLOCK_M, HEAD_SIZE, num_warps, num_stages, true>;
    Gradients::compute(query_sums, N, B * H, M, B * Hk, HEADS, [=, &q_map, &k_map, &v_map, &dout_map](int kv_head) {
        const auto seen = [=](int64_t i) {
            return kg::SeenColumns{0, i + M - N + 1};
        };
        return kg::GradientHeads{N, M, M, D, kv_head * group, group, kv_head, &q_map, &dout_map, &k_map, &v_map,
                                 seen, scale, kg::stored_rows(dk, kv_head, M, D), kg::stored_rows(dv, kv_head, M, D)};
    });
    #else
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
        sums.add(N, M, rows_of_head, keys, values);
    }
    const auto key_output = [=](int64_t i, int64_t d, T value) {
        *(dk + (kv_head * M + i) * D + d) = kg::to_storage<DTYPE>(value);
    };
    const auto value_output = [=](int64_t i, int64_t d, T value) {
        *(dv + (kv_head * M + i) * D + d) = kg::to_storage<DTYPE>(value);
    };
    sums.finish(scale, key_output, value_output);
    #endif
}

extern "C" __global__ void attention_backward_queries(const DTYPE* __restrict__ q, const DTYPE* __restrict__ k,
                                                      const DTYPE* __restrict__ v, const DTYPE* __restrict__ out,
                                                      const float* __restrict__ lse,
                                                      const DTYPE* __restrict__ dout, DTYPE* __restrict__ dq,
                                                      DTYPE* __restrict__ dk, DTYPE* __restrict__ dv, int64_t B,
                                                      int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M,
                                                      float* query_sums) {
    #if COPY_WARPS > 0
    const T scale = T(1 / kg::sqrt(double(D)));
    kg::GradientRowTiles<DTYPE, BLOCK_M, HEAD_SIZE, num_warps>::finish(query_sums, N, B * H, D, scale, dq);
    #else
    const int64_t blocks = (N + BLOCK_M - 1) / BLOCK_M, block = kg::block_index();
    const int64_t head = block / blocks;
    const int64_t kv_head = head / (H / Hk);  // heads of a group share keys
    const int64_t first = (blocks - 1 - block % blocks) * BLOCK_M;  // rows that see most begin
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto keys = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(k + (kv_head * M + i) * D + d);
    };
    const auto values = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(v + (kv_head * M + i) * D + d);
    };
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
    const auto output = [=](int64_t i, int64_t d, T value) {
        *(dq + (head * N + i) * D + d) = kg::to_storage<DTYPE>(value);
    };
    kg::AttentionGradients<T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps>::of_queries(
        {first, N}, M, D, scale, rows_of_head, keys, values, output);
    #endif
}
