// SPDX-License-Identifier: Apache-2.0
// batched_matmul: out = a @ b
// A thread computes one element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void batched_matmul(const DTYPE* __restrict__ a, const DTYPE* __restrict__ b,
                                          DTYPE* __restrict__ out, int64_t B, int64_t M, int64_t K, int64_t N) {
    const int64_t element = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= B * M * N) return;
    const int64_t i = element / N, j = element % N;
    const int64_t batch = i / M;
    const auto left = [=](int64_t i, int64_t k) {
        const int64_t left_row = batch * M + i;
        return kg::load_one<T>(a + left_row * K + k);
    };
    const auto right = [=](int64_t j, int64_t k) {
        const int64_t right_row = batch * K + k;
        return kg::load_one<T>(b + right_row * N + j);
    };
    T product = 0;
    for (int64_t k = 0; k < K; ++k) product += left(i % M, k) * right(j, k);
    out[i * N + j] = kg::to_storage<DTYPE>(product);
}
