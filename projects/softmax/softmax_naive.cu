// SPDX-License-Identifier: Apache-2.0
// softmax:
//     m = row_max(x)
//     e = exp(x - m)
//     out = e / row_sum(e)
// A block computes one row, a thread every 256th element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void softmax(const DTYPE* __restrict__ x, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const int64_t i = blockIdx.x;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    T m_so_far = -kg::infinity<T>;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        m_so_far = kg::maximum(m_so_far, x_j);
    }
    const T m = kg::block_max(m_so_far);
    T sum_so_far = 0;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T e = kg::exp(x_j - m);
        sum_so_far += e;
    }
    const T sum = kg::block_sum(sum_so_far);
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T e = kg::exp(x_j - m);
        out_row[j] = kg::to_storage<DTYPE>(e / sum);
    }
}
