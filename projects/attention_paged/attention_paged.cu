// SPDX-License-Identifier: Apache-2.0
// attention_paged: out = attention(q, k, v, lengths=lengths, block_table=table)
// A block computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ __launch_bounds__(32 * (num_warps + COPY_WARPS)) void attention_paged(
    const DTYPE* __restrict__ q, const DTYPE* __restrict__ k, const DTYPE* __restrict__ v,
    const int32_t* __restrict__ lengths, const int32_t* __restrict__ table, DTYPE* __restrict__ out, int64_t B,
    int64_t H, int64_t N, int64_t D, int64_t P, int64_t Hk, int64_t S, int64_t T2, float* parts,
    const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
    const __grid_constant__ CUtensorMap v_map) {
    const T scale = T(1 / kg::sqrt(double(D)));
    const kg::Pages pages{table, T2, P, Hk, S};
    const int group = int(H / Hk);  // heads that share keys
    const kg::AttentionTiles<BLOCK_M, false> tiles(B * H, N, group);
    using Attention = kg::Attention<DTYPE, T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps, num_stages,
                                    QUERY_STAGES, COPY_WARPS, TURNS, DECODE, false>;
    Attention::compute(tiles, [=, &q_map, &k_map, &v_map](int head) {
        const int kv_head = head / group;
        const int64_t columns2 = lengths[head / H] < (T2 * S) ? lengths[head / H] : (T2 * S);
        const auto queries = kg::rows_of_head<T>(q, q_map, head, N, D);
        const auto keys = kg::paged_rows<T>(k, k_map, pages, kv_head, D);
        const auto values = kg::paged_rows<T>(v, v_map, pages, kv_head, D);
        const auto seen = [=](int64_t) {
            return kg::SeenColumns{0, columns2};
        };
        return kg::attention_head(N, columns2, queries, keys, values, seen, kg::scaled_product(scale),
                                  kg::stored_rows(out, head, N, D), kg::NoSums{});
    }, parts);
}
