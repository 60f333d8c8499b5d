// SPDX-License-Identifier: Apache-2.0
// mha: out = attention(q, k, v, lengths=lengths, dropout=0.1, seed=7)
// A block computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores. Not by tensor cores: weights are dropped.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ __launch_bounds__(32 * num_warps) void mha(
    const DTYPE* __restrict__ q, const DTYPE* __restrict__ k, const DTYPE* __restrict__ v,
    const int32_t* __restrict__ lengths, DTYPE* __restrict__ out, int64_t B, int64_t H, int64_t N, int64_t D,
    int64_t M) {
    const int64_t blocks = (N + BLOCK_M - 1) / BLOCK_M, block = kg::block_index();
    const int64_t head = block / blocks;
    const int64_t columns2 = lengths[head / H] < M ? lengths[head / H] : M;
    const int64_t first = block % blocks * BLOCK_M;
    const auto queries = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(q + (head * N + i) * D + d);
    };
    const auto keys = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(k + (head * M + i) * D + d);
    };
    const auto values = [=](int64_t i, int64_t d) {
        return kg::load_one<T>(v + (head * M + i) * D + d);
    };
    const T scale = T(1 / kg::sqrt(double(D)));
    const auto seen = [=](int64_t) {
        return kg::SeenColumns{0, columns2};
    };
    const auto logit = [=](int64_t i, int64_t j, T product) {
        return product * scale;
    };
    const kg::Dropout<T> dropout{7u, 429496729u, uint32_t(head / H), uint32_t(head % H), T(1.1111111111111112)};
    const auto output = [=](int64_t i, int64_t d, T value) {
        out[(head * N + i) * D + d] = kg::to_storage<DTYPE>(value);
    };
    const auto log_sum = [](int64_t, T) {};
    kg::PlainAttention<T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps>::attend(
        {first, N}, columns2, D, queries, keys, values, seen, logit, dropout, output, log_sum);
}
