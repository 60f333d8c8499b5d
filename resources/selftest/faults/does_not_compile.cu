// SPDX-License-Identifier: Apache-2.0
// Is no CUDA C++.
#include <stdint.h>

extern "C" __global__ void does_not_compile(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    out[i] = x[i] +* 1;
}
