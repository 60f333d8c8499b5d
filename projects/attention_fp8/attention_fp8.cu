// SPDX-License-Identifier: Apache-2.0
// attention_fp8: out = attention(q, k, v, q_scale=q_scale, k_scale=k_scale, v_scale=v_scale)
// A block computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

// Values in the order in which tensor cores multiply 8 bits.
extern "C" __global__ __launch_bounds__(256) void attention_fp8_values(
    const kg_f8e4m3* __restrict__ q, const kg_f8e4m3* __restrict__ k, const kg_f8e4m3* __restrict__ v,
    const float* __restrict__ q_scale, const float* __restrict__ k_scale, const float* __restrict__ v_scale,
    DTYPE* __restrict__ out, int64_t B, int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M, int64_t P,
    int64_t R, int8_t* __restrict__ value_tiles) {
    if constexpr (COPY_WARPS > 0)
        kg::make_value_tile<HEAD_SIZE>(v, value_tiles, M, D);
}

extern "C" __global__ __launch_bounds__(32 * (num_warps + COPY_WARPS)) void attention_fp8(
    const kg_f8e4m3* __restrict__ q, const kg_f8e4m3* __restrict__ k, const kg_f8e4m3* __restrict__ v,
    const float* __restrict__ q_scale, const float* __restrict__ k_scale, const float* __restrict__ v_scale,
    DTYPE* __restrict__ out, int64_t B, int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M, int64_t P,
    int64_t R, int8_t* __restrict__ value_tiles, const __grid_constant__ CUtensorMap q_map,
    const __grid_constant__ CUtensorMap k_map) {
    const T scale = T(1 / kg::sqrt(double(D)));
    const int group = int(H / Hk);  // heads that share keys
    const kg::AttentionTiles<BLOCK_M, false> tiles(B * H, N, group);
    using Attention = kg::Attention<kg_f8e4m3, T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps, num_stages,
                                    QUERY_STAGES, COPY_WARPS, TURNS, 0, true>;
    Attention::compute(tiles, [=, &q_map, &k_map](int head) {
        const int kv_head = head / group;
        const auto query_scales = kg::block_scale<T, 128>(q_scale, head, N);
        const auto key_scales = kg::block_scale<T, 128>(k_scale, kv_head, M);
        const auto value_scales = kg::block_scale<T, 128>(v_scale, kv_head, M);
        const auto queries = kg::rows_of_head<T>(q, q_map, head, N, D, query_scales);
        const auto keys = kg::rows_of_head<T>(k, k_map, kv_head, M, D, key_scales);
        const auto values = kg::tiled_rows_of_head<T, HEAD_SIZE>(v, value_tiles, kv_head, M, D, value_scales);
        const auto seen = [=](int64_t) {
            return kg::SeenColumns{0, M};
        };
        return kg::attention_head(N, M, queries, keys, values, seen, kg::scaled_product(scale),
                                  kg::stored_rows(out, head, N, D), kg::NoSums{});
    }, nullptr);
}
