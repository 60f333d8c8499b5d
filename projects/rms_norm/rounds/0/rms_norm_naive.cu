// SPDX-License-Identifier: Apache-2.0
// rms_norm: out = x * rsqrt(row_mean(x * x) + eps) * gamma
// A block computes one row, a thread every 256th element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void rms_norm(const DTYPE* __restrict__ x, const DTYPE* __restrict__ gamma,
                                    DTYPE* __restrict__ out, int64_t P, int64_t D, double eps) {
    const int64_t i = blockIdx.x;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    T mean_so_far = 0;
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        mean_so_far += x_j * x_j;
    }
    const T mean = kg::block_sum(mean_so_far) / T(D);
    const T inverse_root = kg::rsqrt(mean + T(eps));
    for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
        const T x_j = kg::load_one<T>(x_row + j);
        const T gamma_j = kg::load_one<T>(gamma + j);
        out_row[j] = kg::to_storage<DTYPE>(x_j * inverse_root * gamma_j);
    }
}
