// SPDX-License-Identifier: Apache-2.0
// vector_add: out = x + y
// A thread computes one element: what is tuned must be faster than this.
#include "kernelgen.cuh"

using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer

extern "C" __global__ void vector_add(const DTYPE* __restrict__ x, const DTYPE* __restrict__ y,
                                      DTYPE* __restrict__ out, int64_t N) {
    const int64_t j = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (j >= N) return;
    const T x_j = kg::load_one<T>(x + j);
    const T y_j = kg::load_one<T>(y + j);
    out[j] = kg::to_storage<DTYPE>(x_j + y_j);
}
