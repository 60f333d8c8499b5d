// SPDX-License-Identifier: Apache-2.0
// The rate of fused multiply-adds outside the tensor cores: each of a block's 256 threads does 4096 of them in each of 16
// independent chains, which hides their latency.
#include <stdint.h>

extern "C" __global__ void __launch_bounds__(256) fma_chains(DTYPE* out, int64_t N) {
    constexpr int chains = 16, iterations = 4096;
    DTYPE sums[chains];
#pragma unroll
    for (int j = 0; j < chains; ++j) sums[j] = DTYPE(j + threadIdx.x);
    const DTYPE factor = DTYPE(0.5), term = DTYPE(1 + N % 2);
#pragma unroll 4
    for (int i = 0; i < iterations; ++i) {
#pragma unroll
        for (int j = 0; j < chains; ++j) sums[j] = sums[j] * factor + term;
    }
    DTYPE total = sums[0];
#pragma unroll
    for (int j = 1; j < chains; ++j) total += sums[j];
    if (threadIdx.x == 0 || total == DTYPE(1.2345678e30)) out[blockIdx.x] = total;
}
