// SPDX-License-Identifier: Apache-2.0
// Loads four bytes from an odd address.
#include <stdint.h>

extern "C" __global__ void misaligned(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const char* odd = reinterpret_cast<const char*>(x) + 1;
    if (i < N) out[i] = *reinterpret_cast<const volatile float*>(odd) + x[i] + 1;
}
