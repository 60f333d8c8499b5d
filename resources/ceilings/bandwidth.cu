// SPDX-License-Identifier: Apache-2.0
// Copy, read and write at the rate of the memory system. A block of 128 threads moves 512 consecutive elements for each
// 16 bytes that a thread has in flight: 1, 2, 4 or 8 of them, as the entry's name says. The plain copy leaves the caches
// to their ways. The kept copy and write ask that what they wrote stays in the L2: some of it reaches memory only after
// the call. The others stream past the caches.
#include <stdint.h>

namespace {

constexpr int threads = 128, width = 4;  // float4

__device__ bool is_inside(int64_t i, int64_t n) { return i * width + width <= n; }

enum class Stores { plain, streaming, kept };

template <Stores how>
__device__ void store(float4* to, float4 value) {
    if constexpr (how == Stores::streaming) {
        __stcs(to, value);
#if __CUDA_ARCH__ >= 800
    } else if constexpr (how == Stores::kept) {
        uint64_t policy;
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
        asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to), "f"(value.x),
                     "f"(value.y), "f"(value.z), "f"(value.w), "l"(policy)
                     : "memory");
#endif
    } else {
        *to = value;
    }
}

// Elements beyond the last whole vector.
__device__ int64_t rest_of(int64_t n) { return n / width * width; }

template <int count, Stores how>
__device__ void copy(const float* x, float* out, int64_t n) {
    const int64_t first = int64_t(blockIdx.x) * threads * count + threadIdx.x;
    const auto* const from = reinterpret_cast<const float4*>(x);
    auto* const to = reinterpret_cast<float4*>(out);
    float4 parts[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
        const int64_t i = first + k * threads;
        if (is_inside(i, n)) parts[k] = how == Stores::plain ? from[i] : __ldcs(from + i);
    }
#pragma unroll
    for (int k = 0; k < count; ++k) {
        const int64_t i = first + k * threads;
        if (is_inside(i, n)) store<how>(to + i, parts[k]);
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

template <int count, Stores how>
__device__ void write(float* out, int64_t n) {
    const int64_t first = int64_t(blockIdx.x) * threads * count + threadIdx.x;
#pragma unroll
    for (int k = 0; k < count; ++k) {
        if (is_inside(first + k * threads, n))
            store<how>(reinterpret_cast<float4*>(out) + first + k * threads, float4{1, 1, 1, 1});
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int64_t i = rest_of(n); i < n; ++i) out[i] = 1;
    }
}

}  // namespace

#define COPIES(name, how, count)                                                                                \
    extern "C" __global__ void __launch_bounds__(threads) name##_##count(const float* x, float* out, int64_t N) { \
        copy<count, how>(x, out, N);                                                                            \
    }
#define WRITES(name, how, count)                                                                \
    extern "C" __global__ void __launch_bounds__(threads) name##_##count(float* out, int64_t N) { \
        write<count, how>(out, N);                                                              \
    }
#define ENTRIES(count)                                                                                        \
    COPIES(copy_plain, Stores::plain, count)                                                                    \
    COPIES(copy, Stores::streaming, count)                                                                      \
    COPIES(copy_kept, Stores::kept, count)                                                                      \
    WRITES(write, Stores::streaming, count)                                                                     \
    WRITES(write_kept, Stores::kept, count)                                                                     \
    extern "C" __global__ void __launch_bounds__(threads) read_##count(const float* x, float* out, int64_t N) { \
        read<count>(x, out, N);                                                                               \
    }

ENTRIES(1)
ENTRIES(2)
ENTRIES(4)
ENTRIES(8)
