// SPDX-License-Identifier: Apache-2.0
// attention_unfused: out = attention(q, k, v)
// A block computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ __launch_bounds__(32 * num_warps) void attention_unfused(
    const DTYPE* __restrict__ q, const DTYPE* __restrict__ k, const DTYPE* __restrict__ v,
    DTYPE* __restrict__ out, int64_t B, int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M) {
    const int64_t blocks = (N + BLOCK_M - 1) / BLOCK_M, block = kg::block_index();
    const int64_t head = block / blocks;
    const int64_t kv_head = head / H * Hk + head % H / (H / Hk);  // heads of a group share keys
    const int64_t first = block % blocks * BLOCK_M;
    const auto queries = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(q + (head * N + i) * D + d);
    };
    const auto keys = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(k + (kv_head * M + i) * D + d);
    };
    const auto values = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(v + (kv_head * M + i) * D + d);
    };
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto seen = [=](int64_t) {
        return kg::SeenColumns{0, M};
    };
    const auto logit = [=](int64_t i, int64_t j, T product) {
        return product * scale;
    };
    const auto output = [=](int64_t i, int64_t d, T value) {
        out[(head * N + i) * D + d] = kg::to_storage<DTYPE>(value);
    };
    const auto log_sum = [](int64_t, T) {};
    kg::PlainAttention<T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps>::attend(
        {first, N}, M, D, queries, keys, values, seen, logit, kg::NoDropout{}, output, log_sum);
}
