// SPDX-License-Identifier: Apache-2.0
// attention_window: out = attention(q, k, v, window_left=511, window_right=0)
// A block computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ __launch_bounds__(32 * (num_warps + COPY_WARPS)) void attention_window(
    const DTYPE* __restrict__ q, const DTYPE* __restrict__ k, const DTYPE* __restrict__ v,
    DTYPE* __restrict__ out, int64_t B, int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M, float* parts,
    const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
    const __grid_constant__ CUtensorMap v_map) {
    const T scale = T(1 / kg::sqrt(double(D)));
    const int group = int(H / Hk);  // heads that share keys
    const kg::AttentionTiles<BLOCK_M, false> tiles(B * H, N, group);
    using Attention = kg::Attention<DTYPE, T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps, num_stages,
                                    QUERY_STAGES, COPY_WARPS, TURNS, DECODE, true>;
    Attention::compute(tiles, [=, &q_map, &k_map, &v_map](int head) {
        const int kv_head = head / group;
        const auto queries = kg::rows_of_head<T>(q, q_map, head, N, D);
        const auto keys = kg::rows_of_head<T>(k, k_map, kv_head, M, D);
        const auto values = kg::rows_of_head<T>(v, v_map, kv_head, M, D);
        const auto seen = [=](int64_t i) {
            return kg::SeenColumns{i + M - N - 511, i + M - N + 1};
        };
        return kg::attention_head(N, M, queries, keys, values, seen, kg::scaled_product(scale),
                                  kg::stored_rows(out, head, N, D), kg::NoSums{});
    }, parts);
}
