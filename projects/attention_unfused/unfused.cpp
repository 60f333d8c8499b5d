// SPDX-License-Identifier: Apache-2.0
// Attention in three launches: scores, softmax, and the product with the values. `scores` holds all N x M of them.
#include "kernelgen.h"

constexpr int lanes = 16;

/// Heads of a group share keys.
static int64_t kv_head(int64_t head, int64_t H, int64_t Hk) { return head / H * Hk + head % H / (H / Hk); }

static float dot(const DTYPE* left, const DTYPE* right, int64_t count) {
    float parts[lanes] = {}, sum = 0;
    int64_t d = 0;
    for (; d + lanes <= count; d += lanes)
        for (int l = 0; l < lanes; ++l)
            parts[l] += kg::load_one<float>(left + d + l) * kg::load_one<float>(right + d + l);
    for (; d < count; ++d) sum += kg::load_one<float>(left + d) * kg::load_one<float>(right + d);
    for (int l = 0; l < lanes; ++l) sum += parts[l];
    return sum;
}

/// A program computes the scores of BLOCK_ROWS rows of a head.
extern "C" void scores(const DTYPE* q, const DTYPE* k, float* scores, int64_t H, int64_t N, int64_t D, int64_t Hk,
                       int64_t M, int64_t pid0, int64_t head, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_ROWS, N);
    const float scale = 1 / kg::sqrt(float(D));
    const DTYPE* const keys = k + kv_head(head, H, Hk) * M * D;
    for (int64_t j = 0; j < M; ++j)
        for (int64_t i = rows.first; i < rows.last; ++i)
            scores[(head * N + i) * M + j] = scale * dot(q + (head * N + i) * D, keys + j * D, D);
}

/// A program makes weights of BLOCK_ROWS rows of scores.
extern "C" void softmax(float* scores, int64_t N, int64_t M, int64_t pid0, int64_t head, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_ROWS, N);
    for (int64_t i = rows.first; i < rows.last; ++i) {
        float* const row = scores + (head * N + i) * M;
        float largest = -kg::infinity<float>, total = 0;
        for (int64_t j = 0; j < M; ++j) largest = row[j] > largest ? row[j] : largest;
        for (int64_t j = 0; j < M; ++j) {
            row[j] = kg::exp(row[j] - largest);
            total += row[j];
        }
        for (int64_t j = 0; j < M; ++j) row[j] /= total;
    }
}

/// A program adds the weighted values of BLOCK_ROWS rows of a head.
extern "C" void product(float* scores, const DTYPE* v, DTYPE* out, int64_t H, int64_t N, int64_t D, int64_t Hk,
                        int64_t M, int64_t pid0, int64_t head, int64_t) {
    const kg::Tile rows = kg::tile(pid0, BLOCK_ROWS, N);
    const DTYPE* const values = v + kv_head(head, H, Hk) * M * D;
    float* const sums = kg::row_buffer<float, 0>(D).data;
    for (int64_t i = rows.first; i < rows.last; ++i) {
        for (int64_t d = 0; d < D; ++d) sums[d] = 0;
        for (int64_t j = 0; j < M; ++j) {
            const float weight = scores[(head * N + i) * M + j];
            for (int64_t d = 0; d < D; ++d) sums[d] += weight * kg::load_one<float>(values + j * D + d);
        }
        for (int64_t d = 0; d < D; ++d) out[(head * N + i) * D + d] = kg::to_storage<DTYPE>(sums[d]);
    }
}
