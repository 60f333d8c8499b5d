// SPDX-License-Identifier: Apache-2.0
// 1060 blocks where 1056 run at once on 132 multiprocessors: four blocks are a wave of their own.
#include "kernelgen.cuh"

extern "C" __global__ void slow(const float* __restrict__ x, float* __restrict__ out, int64_t P, int64_t D) {
    const float one = P > 0 ? 1.0f : 2.0f, nothing = P > 0 ? 0.0f : 1.0f;  // which the compiler does not know
    const int64_t begin = int64_t(blockIdx.x) * 4, end = begin + 4 < P ? begin + 4 : P;
    for (int64_t i = begin; i < end; ++i) {
        for (int64_t j = threadIdx.x; j < D; j += blockDim.x) {
            float v = x[i * D + j];
#pragma unroll 16
            for (int k = 0; k < 256; ++k) v = fmaf(v, one, nothing);
            out[i * D + j] = 2.0f * v;
        }
    }
}
