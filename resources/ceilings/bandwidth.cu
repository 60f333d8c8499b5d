// SPDX-License-Identifier: Apache-2.0
// Copy, read and write at the rate of the memory system. A block of 128 threads moves 512 consecutive elements for each
// 16 bytes that a thread has in flight: 1, 2, 4 or 8 of them, as the entry's name says. The plain copy leaves the caches
// to their ways; the others stream past them.
#include <stdint.h>

namespace {

constexpr int threads = 128, width = 4;  // float4

__device__ bool is_inside(int64_t i, int64_t n) { return i * width + width <= n; }

// Elements beyond the last whole vector.
__device__ int64_t rest_of(int64_t n) { return n / width * width; }

template <int count, bool streams>
__device__ void copy(const float* x, float* out, int64_t n) {
    const int64_t first = int64_t(blockIdx.x) * threads * count + threadIdx.x;
    const auto* const from = reinterpret_cast<const float4*>(x);
    auto* const to = reinterpret_cast<float4*>(out);
    float4 parts[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
        const int64_t i = first + k * threads;
        if (is_inside(i, n)) parts[k] = streams ? __ldcs(from + i) : from[i];
    }
#pragma unroll
    for (int k = 0; k < count; ++k) {
        const int64_t i = first + k * threads;
        if (!is_inside(i, n)) continue;
        if (streams) __stcs(to + i, parts[k]);
        else to[i] = parts[k];
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int64_t i = rest_of(n); i < n; ++i) out[i] = x[i];
    }
}

template <int count>
__device__ void read(const float* x, float* out, int64_t n) {
    const int64_t first = int64_t(blockIdx.x) * threads * count + threadIdx.x;
    float4 parts[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
        parts[k] = is_inside(first + k * threads, n) ? __ldcs(reinterpret_cast<const float4*>(x) + first + k * threads)
                                                     : float4{0, 0, 0, 0};
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < count; ++k) sum += parts[k].x + parts[k].y + parts[k].z + parts[k].w;
    if (threadIdx.x == 0 || sum == 1.2345678e30f) out[blockIdx.x] = sum;  // what all threads read is needed
}

template <int count>
__device__ void write(float* out, int64_t n) {
    const int64_t first = int64_t(blockIdx.x) * threads * count + threadIdx.x;
#pragma unroll
    for (int k = 0; k < count; ++k) {
        if (is_inside(first + k * threads, n)) __stcs(reinterpret_cast<float4*>(out) + first + k * threads, {1, 1, 1, 1});
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int64_t i = rest_of(n); i < n; ++i) out[i] = 1;
    }
}

}  // namespace

#define ENTRIES(count)                                                                                        \
    extern "C" __global__ void __launch_bounds__(threads) copy_plain_##count(const float* x, float* out,        \
                                                                             int64_t N) {                      \
        copy<count, false>(x, out, N);                                                                        \
    }                                                                                                         \
    extern "C" __global__ void __launch_bounds__(threads) copy_##count(const float* x, float* out, int64_t N) { \
        copy<count, true>(x, out, N);                                                                         \
    }                                                                                                         \
    extern "C" __global__ void __launch_bounds__(threads) read_##count(const float* x, float* out, int64_t N) { \
        read<count>(x, out, N);                                                                               \
    }                                                                                                         \
    extern "C" __global__ void __launch_bounds__(threads) write_##count(float* out, int64_t N) { write<count>(out, N); }

ENTRIES(1)
ENTRIES(2)
ENTRIES(4)
ENTRIES(8)
