// SPDX-License-Identifier: Apache-2.0
// gemv: out = x @ transpose(w)
// A thread computes one element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void gemv(const DTYPE* __restrict__ x, const DTYPE* __restrict__ w,
                                DTYPE* __restrict__ out, int64_t M, int64_t K, int64_t N) {
    const int64_t element = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= M * N) return;
    const int64_t i = element / N, j = element % N;
    const auto left = [=](int64_t i, int64_t k) {
        return kg::load_one<T>(x + i * K + k);
    };
    const auto right = [=](int64_t j, int64_t k) {
        return kg::load_one<T>(w + j * K + k);
    };
    T product = 0;
    for (int64_t k = 0; k < K; ++k) product += left(i, k) * right(j, k);
    out[i * N + j] = kg::to_storage<DTYPE>(product);
}
