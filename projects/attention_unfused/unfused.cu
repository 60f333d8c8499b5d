// SPDX-License-Identifier: Apache-2.0
// Attention in three launches: scores, softmax, and the product with the values. `scores` holds all N x M of them.
// A block of 32 x 8 threads computes a tile of 32 x 32 elements of a product.
#include "kernelgen.cuh"

constexpr int side = 32, threads_high = 8, each = side / threads_high;

__device__ int64_t cdiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Heads of a group share keys.
__device__ int64_t kv_head(int64_t head, int64_t H, int64_t Hk) { return head / H * Hk + head % H / (H / Hk); }

/// Adds products of `depth` elements to a thread's elements. `left(line, d)` and `right(column, d)` are 0 outside.
template <class Left, class Right>
__device__ void add_products(float (&sums)[each], int64_t depth, Left left, Right right) {
    __shared__ float lines[side][side + 1], columns[side][side + 1];
    const int x = threadIdx.x % side, y = threadIdx.x / side;
    for (int64_t first = 0; first < depth; first += side) {
        for (int e = 0; e < each; ++e) {
            lines[y + e * threads_high][x] = left(y + e * threads_high, first + x);
            columns[y + e * threads_high][x] = right(y + e * threads_high, first + x);
        }
        __syncthreads();
        for (int d = 0; d < side; ++d)
            for (int e = 0; e < each; ++e) sums[e] += lines[y + e * threads_high][d] * columns[x][d];
        __syncthreads();
    }
}

extern "C" __global__ void scores(const DTYPE* __restrict__ q, const DTYPE* __restrict__ k, float* __restrict__ scores,
                                  int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M) {
    const int64_t across = cdiv(M, side), tile = blockIdx.x % (across * cdiv(N, side)),
                  head = blockIdx.x / (across * cdiv(N, side)), row = tile / across * side,
                  column = tile % across * side;
    const DTYPE *const queries = q + head * N * D, *const keys = k + kv_head(head, H, Hk) * M * D;
    float sums[each] = {};
    add_products(
        sums, D,
        [=](int line, int64_t d) {
            return row + line < N && d < D ? kg::load_one<float>(queries + (row + line) * D + d) : 0.0f;
        },
        [=](int line, int64_t d) {
            return column + line < M && d < D ? kg::load_one<float>(keys + (column + line) * D + d) : 0.0f;
        });
    const int64_t j = column + threadIdx.x % side;
    const float scale = 1 / sqrtf(float(D));
    for (int e = 0; e < each; ++e) {
        const int64_t i = row + threadIdx.x / side + e * threads_high;
        if (i < N && j < M) scores[(head * N + i) * M + j] = scale * sums[e];
    }
}

/// A block makes weights of one row of scores.
extern "C" __global__ void softmax(float* scores, int64_t M) {
    float* const row = scores + int64_t(blockIdx.x) * M;
    float largest = -kg::infinity<float>, total = 0;
    for (int64_t j = threadIdx.x; j < M; j += blockDim.x) largest = kg::maximum(largest, row[j]);
    largest = kg::block_max(largest);
    for (int64_t j = threadIdx.x; j < M; j += blockDim.x) {
        row[j] = kg::exp(row[j] - largest);
        total += row[j];
    }
    total = kg::block_sum(total);
    for (int64_t j = threadIdx.x; j < M; j += blockDim.x) row[j] /= total;
}

extern "C" __global__ void product(float* __restrict__ scores, const DTYPE* __restrict__ v,
                                   DTYPE* __restrict__ out, int64_t H, int64_t N, int64_t D, int64_t Hk, int64_t M) {
    const int64_t across = cdiv(D, side), tile = blockIdx.x % (across * cdiv(N, side)),
                  head = blockIdx.x / (across * cdiv(N, side)), row = tile / across * side,
                  column = tile % across * side;
    const float* const weights = scores + head * N * M;
    const DTYPE* const values = v + kv_head(head, H, Hk) * M * D;
    float sums[each] = {};
    add_products(
        sums, M,
        [=](int line, int64_t j) { return row + line < N && j < M ? weights[(row + line) * M + j] : 0.0f; },
        [=](int line, int64_t j) {
            return column + line < D && j < M ? kg::load_one<float>(values + j * D + column + line) : 0.0f;
        });
    const int64_t d = column + threadIdx.x % side;
    for (int e = 0; e < each; ++e) {
        const int64_t i = row + threadIdx.x / side + e * threads_high;
        if (i < N && d < D) out[(head * N + i) * D + d] = kg::to_storage<DTYPE>(sums[e]);
    }
}
