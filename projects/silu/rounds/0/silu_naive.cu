// SPDX-License-Identifier: Apache-2.0
// silu: out = x * sigmoid(x)
// A thread computes one element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void silu(const DTYPE* __restrict__ x, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const int64_t element = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= P * D) return;
    const int64_t i = element / D, j = element % D;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    const T x_j = kg::load_one<T>(x_row + j);
    out_row[j] = kg::to_storage<DTYPE>(x_j * kg::sigmoid(x_j));
}
