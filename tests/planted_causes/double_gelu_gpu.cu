// SPDX-License-Identifier: Apache-2.0
// GELU as it is often written first: constants without f make all of it double.
#include <math.h>

#include "kernelgen.cuh"

extern "C" __global__ void slow(const float* __restrict__ x, float* __restrict__ out, int64_t P, int64_t D) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < P * D) out[i] = 0.5 * x[i] * (1.0 + tanh(0.79788456 * (x[i] + 0.044715 * x[i] * x[i] * x[i])));
}
