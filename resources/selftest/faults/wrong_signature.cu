// SPDX-License-Identifier: Apache-2.0
// Takes its arguments in another order.
#include <stdint.h>

extern "C" __global__ void wrong_signature(float* out, const float* x, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < N) out[i] = x[i] + 1;
}
