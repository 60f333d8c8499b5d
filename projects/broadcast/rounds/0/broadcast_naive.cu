// SPDX-License-Identifier: Apache-2.0
// broadcast: out = bias
// A thread computes one element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void broadcast(const DTYPE* __restrict__ bias, DTYPE* __restrict__ out, int64_t P,
                                     int64_t D) {
    const int64_t element = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= P * D) return;
    const int64_t i = element / D, j = element % D;
    DTYPE* const out_row = out + i * D;
    const T bias_j = kg::load_one<T>(bias + j);
    out_row[j] = kg::to_storage<DTYPE>(bias_j);
}
