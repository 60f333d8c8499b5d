// SPDX-License-Identifier: Apache-2.0
// layer_norm:
//     d = x - row_mean(x)
//     v = row_var(x)
//     out = d * rsqrt(v + eps) * gamma + beta
// A block computes one row, a thread every 256th element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void layer_norm(const DTYPE* __restrict__ x, const DTYPE* __restrict__ gamma,
                                      const DTYPE* __restrict__ beta, DTYPE* __restrict__ out, int64_t P,
                                      int64_t D, double eps) {
    const int64_t i = blockIdx.x;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    T mean_so_far = 0;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        mean_so_far += x_j;
    }
    const T mean = kg::block_sum(mean_so_far) / T(D);
    T v_so_far = 0;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T d = x_j - mean;
        v_so_far += d * d;
    }
    const T v = kg::block_sum(v_so_far) / T(D);
    const T inverse_root = kg::rsqrt(v + T(eps));
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T d = x_j - mean;
        const T gamma_j = kg::load_one<T>(gamma + j);
        const T beta_j = kg::load_one<T>(beta + j);
        out_row[j] = kg::to_storage<DTYPE>(d * inverse_root * gamma_j + beta_j);
    }
}
