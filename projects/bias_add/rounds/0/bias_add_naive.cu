// SPDX-License-Identifier: Apache-2.0
// bias_add: out = x + bias
// A thread computes one element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void bias_add(const DTYPE* __restrict__ x, const DTYPE* __restrict__ bias,
                                    DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const int64_t element = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= P * D) return;
    const int64_t i = element / D, j = element % D;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    const T x_j = kg::load_one<T>(x_row + j);
    const T bias_j = kg::load_one<T>(bias + j);
    out_row[j] = kg::to_storage<DTYPE>(x_j + bias_j);
}
