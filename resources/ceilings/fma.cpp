// SPDX-License-Identifier: Apache-2.0
// The rate of fused multiply-adds: a tile program does 8192 x 16 of them on vectors of 64 bytes (fewer bytes at a time
// where registers are narrower), in 16 independent chains, which hides their latency.
#include <stdint.h>

#if defined(__AVX512F__)
constexpr int vector_bytes = 64, chains = 16;
#elif defined(__AVX__)
constexpr int vector_bytes = 32, chains = 8;
#else
constexpr int vector_bytes = 16, chains = 8;
#endif
typedef DTYPE vec __attribute__((vector_size(vector_bytes)));

constexpr int64_t iterations = int64_t{8192} * 16 * 64 / (chains * vector_bytes);

extern "C" void fma_chains(DTYPE* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    vec sums[chains];
    for (int j = 0; j < chains; ++j) sums[j] = vec{} + DTYPE(j + 1);
    const vec factor = vec{} + DTYPE(0.5), term = vec{} + DTYPE(1 + N % 2);
    for (int64_t i = 0; i < iterations; ++i) {
#pragma GCC unroll 16
        for (int j = 0; j < chains; ++j) sums[j] = sums[j] * factor + term;
    }
    vec total = sums[0];
    for (int j = 1; j < chains; ++j) total += sums[j];
    out[pid0] = total[0];
}
