// SPDX-License-Identifier: Apache-2.0
// gelu: out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))
// A thread computes one element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void gelu(const DTYPE* __restrict__ x, DTYPE* __restrict__ out, int64_t P, int64_t D) {
    const int64_t element = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (element >= P * D) return;
    const int64_t i = element / D, j = element % D;
    const DTYPE* const x_row = x + i * D;
    DTYPE* const out_row = out + i * D;
    const T x_j = kg::load_one<T>(x_row + j);
    const T out_j = T(0.5) * x_j * (T(1) + kg::tanh(T(0.7978845608028654) * (x_j + T(0.044715) * (x_j * x_j * x_j))));
    out_row[j] = kg::to_storage<DTYPE>(out_j);
}
