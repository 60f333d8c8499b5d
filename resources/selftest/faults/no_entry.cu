// SPDX-License-Identifier: Apache-2.0
// Has no function of the name that the launch asks for.
#include <stdint.h>

extern "C" __global__ void another_name(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < N) out[i] = x[i] + 1;
}
