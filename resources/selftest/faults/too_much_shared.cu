// SPDX-License-Identifier: Apache-2.0
// Asks for more shared memory than any multiprocessor has.
#include <stdint.h>

extern "C" __global__ void too_much_shared(const float* x, float* out, int64_t N) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    extern __shared__ float scratch[];
    scratch[threadIdx.x] = i < N ? x[i] + 1 : 0;
    if (i < N) out[i] = scratch[threadIdx.x];
}
