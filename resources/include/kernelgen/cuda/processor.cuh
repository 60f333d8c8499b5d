// SPDX-License-Identifier: Apache-2.0
// All functions that need instructions of the GPU: thread indices, barriers, shuffles, clusters, memory with cache
// policies, conversions and approximate functions.
#pragma once

#include "kernelgen/cuda/integers.cuh"

#define KG_DEVICE __device__ __forceinline__
#define KG_UNROLL _Pragma("unroll")

/// Makes the blocks of a kernel form clusters of `blocks`, which share their memory; has no effect where the
/// architecture has no clusters.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define KG_CLUSTER(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define KG_CLUSTER(blocks)
#endif

namespace kg {

#if defined(__CUDA_ARCH__)
inline constexpr int architecture = __CUDA_ARCH__;
#else
inline constexpr int architecture = 900;
#endif
inline constexpr bool has_clusters = architecture >= 900;

KG_DEVICE int thread_index() { return static_cast<int>(threadIdx.x); }
KG_DEVICE int block_size() { return static_cast<int>(blockDim.x); }
KG_DEVICE unsigned block_index() { return blockIdx.x; }
KG_DEVICE unsigned block_count() { return gridDim.x; }

KG_DEVICE void block_barrier() { __syncthreads(); }
/// A barrier of the block's first `count` threads, a multiple of 32.
template <int count>
KG_DEVICE void barrier_of_threads() {
    asm volatile("bar.sync 1, %0;" ::"n"(count) : "memory");
}
/// Barriers with a number, from 2 on, at which `count` threads arrive: those that wait there, and those that go on.
template <int count>
KG_DEVICE void wait_at_barrier(int number) {
    asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(count) : "memory");
}
template <int count>
KG_DEVICE void arrive_at_barrier(int number) {
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "n"(count) : "memory");
}

/// `value` of the lane whose number is this lane's number XOR `mask`.
template <class T>
KG_DEVICE T from_lane_xor(T value, int mask) {
    return __shfl_xor_sync(0xffffffffu, value, mask);
}

/// `value`, which is the same in all lanes of the warp: so the compiler knows it, and needs no register of each lane.
KG_DEVICE int same_in_warp(int value) { return __shfl_sync(0xffffffffu, value, 0); }

/// Adds to a number that other blocks may add to at the same time, in an order that nothing fixes.
template <class T>
KG_DEVICE void add_atomically(T* place, T value) {
    atomicAdd(place, value);
}

/// Makes what the compiler knows of a number nothing, so that what follows from it is computed again.
KG_DEVICE void forget(int& number) { asm volatile("" : "+r"(number)); }

/// Adds to four neighbours, at a multiple of 16 bytes, as add_atomically.
KG_DEVICE void add_four_atomically(float* place, const float* values) {
#if __CUDA_ARCH__ >= 900
    asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(place), "f"(values[0]),
                 "f"(values[1]), "f"(values[2]), "f"(values[3])
                 : "memory");
#else
    for (int i = 0; i < 4; ++i) atomicAdd(place + i, values[i]);
#endif
}

// Blocks that wait for one another: what a thread has written before publish_to_device, and a barrier, is there for those
// who see what is counted after it.

KG_DEVICE void publish_to_device() { __threadfence(); }
/// Adds 1; what it was before.
KG_DEVICE uint32_t count(uint32_t* counter) { return atomicAdd(counter, 1u); }
KG_DEVICE void wait_until_counted(const uint32_t* counter, uint32_t number) {
    uint32_t now;
    do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
    while (now < number);
}
/// Counts one more at a number that all blocks count at, and gives how many came before. What the thread's block had
/// written before a barrier of it, others see that count later.
KG_DEVICE uint32_t count_arrival(uint32_t* place) {
    publish_to_device();
    const uint32_t before = count(place);
    publish_to_device();
    return before;
}
/// Reads what other blocks wrote during the kernel.
KG_DEVICE float read_shared_by_blocks(const float* place) { return __ldcg(place); }

/// The one object of type T that all threads of a block share.
template <class T>
KG_DEVICE T& in_shared_memory() {
    __shared__ T object;
    return object;
}
/// The dynamic shared memory of the launch.
KG_DEVICE unsigned char* launched_shared_memory() {
    extern __shared__ __align__(16) unsigned char kg_launched_shared_memory[];
    return kg_launched_shared_memory;
}

/// Starts copying 4, 8 or 16 bytes from global to shared memory, without waiting (see `wait_for_copies`).
template <int bytes>
KG_DEVICE void copy_to_shared(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
    const uint32_t there = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(there), "l"(from) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(there), "l"(from), "n"(bytes) : "memory");
#else
    for (int i = 0; i < bytes / 4; ++i) static_cast<uint32_t*>(to)[i] = static_cast<const uint32_t*>(from)[i];
#endif
}
/// As copy_to_shared; writes zeros, and reads nothing, where `exists` is false.
template <int bytes = 16>
KG_DEVICE void copy_or_clear_in_shared(void* to, const void* from, bool exists) {
#if __CUDA_ARCH__ >= 800
    const uint32_t there = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    const int read = exists ? bytes : 0;
    if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(there), "l"(from), "r"(read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;" ::"r"(there), "l"(from), "n"(bytes), "r"(read)
                     : "memory");
#else
    for (int i = 0; i < bytes / 4; ++i)
        static_cast<uint32_t*>(to)[i] = exists ? static_cast<const uint32_t*>(from)[i] : 0;
#endif
}
/// Commits the copies that this thread has issued since the last commit as one group.
KG_DEVICE void end_of_group_of_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits for all groups of this thread's copies except the last `groups` ones.
template <int groups>
KG_DEVICE void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

KG_DEVICE void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
KG_DEVICE void cluster_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
/// A barrier of all threads of the cluster's blocks; of the block where there are no clusters.
KG_DEVICE void barrier_of_cluster() {
#if __CUDA_ARCH__ >= 900
    __syncwarp();
    cluster_arrive();
    cluster_wait();
#else
    __syncthreads();
#endif
}
/// Writes `value` to block `rank` of the cluster, at the position that `place` has in this block's shared memory.
template <class T>
KG_DEVICE void store_in_block(T* place, int rank, T value) {
#if __CUDA_ARCH__ >= 900
    const uint32_t own = static_cast<uint32_t>(__cvta_generic_to_shared(place));
    uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(rank));
    if constexpr (sizeof(T) == 4)
        asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(there), "f"(static_cast<float>(value)) : "memory");
    else asm volatile("st.shared::cluster.f64 [%0], %1;" ::"r"(there), "d"(static_cast<double>(value)) : "memory");
#endif
}

/// How long data that is read or written should stay in the caches.
enum Cache { cache_default = 0, cache_streaming = 1, cache_evict_first = 2, cache_evict_last = 3 };
/// As cache_streaming; the L2 cache reads the 256 bytes around at once. Of loads only.
inline constexpr int cache_reading_ahead = 4;

template <int cache>
KG_DEVICE uint64_t cache_policy() {
    uint64_t policy = 0;
#if __CUDA_ARCH__ >= 800
    if constexpr (cache == cache_evict_last) asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    else asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
#endif
    return policy;
}

// The loads are volatile, so they stay in the order of the source: all loads of a tile are issued before the first one
// is waited for. `kind` is the type and the registers; `place` and `policy` are the operands after them.
#define KG_LOAD(kind, place, policy, ...)                                                                \
    if constexpr (cache == cache_reading_ahead && architecture >= 800)                                   \
        asm volatile("ld.global.nc.L1::no_allocate.L2::256B" kind ", [" place "];"                       \
                     : __VA_ARGS__                                                                       \
                     : "l"(address));                                                                    \
    else if constexpr (cache == cache_streaming || cache == cache_reading_ahead)                         \
        asm volatile("ld.global.nc.L1::no_allocate" kind ", [" place "];" : __VA_ARGS__ : "l"(address)); \
    else if constexpr (cache == cache_default || architecture < 800)                                     \
        asm volatile("ld.global.nc" kind ", [" place "];" : __VA_ARGS__ : "l"(address));                 \
    else                                                                                                 \
        asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint" kind ", [" place "], " policy ";"     \
                     : __VA_ARGS__                                                                       \
                     : "l"(address), "l"(cache_policy<cache>()));
#define KG_STORE(kind, policy, ...)                                                               \
    if constexpr (cache == cache_streaming)                                                       \
        asm volatile("st.global.cs" kind ";" ::"l"(address), __VA_ARGS__ : "memory");             \
    else if constexpr (cache == cache_default || architecture < 800)                              \
        asm volatile("st.global" kind ";" ::"l"(address), __VA_ARGS__ : "memory");                \
    else                                                                                          \
        asm volatile("st.global.L2::cache_hint" kind ", " policy ";" ::"l"(address), __VA_ARGS__, \
                     "l"(cache_policy<cache>())                                                   \
                     : "memory");

/// Reads 1, 2 or 4 words of memory that no thread writes during the kernel, from an address that is a multiple of their
/// size.
template <int cache, int words>
KG_DEVICE void read_words(const void* address, uint32_t* to) {
    if constexpr (words == 4) {
        KG_LOAD(".v4.b32 {%0, %1, %2, %3}", "%4", "%5", "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]))
    } else if constexpr (words == 2) {
        KG_LOAD(".v2.b32 {%0, %1}", "%2", "%3", "=r"(to[0]), "=r"(to[1]))
    } else {
        KG_LOAD(".b32 %0", "%1", "%2", "=r"(to[0]))
    }
}
template <int cache, int words>
KG_DEVICE void write_words(void* address, const uint32_t* from) {
    if constexpr (words == 4) {
        KG_STORE(".v4.b32 [%0], {%1, %2, %3, %4}", "%5", "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3]))
    } else if constexpr (words == 2) {
        KG_STORE(".v2.b32 [%0], {%1, %2}", "%3", "r"(from[0]), "r"(from[1]))
    } else {
        KG_STORE(".b32 [%0], %1", "%2", "r"(from[0]))
    }
}
#undef KG_LOAD
#undef KG_STORE

KG_DEVICE float float_of_half(uint16_t code) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(code));
    return value;
}
/// Converts two values to neighbouring codes, `low` in the lower half.
KG_DEVICE uint32_t halves(float low, float high) {
    uint32_t codes;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(codes) : "f"(high), "f"(low));
#else
    uint16_t low_code, high_code;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(low_code) : "f"(low));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(high_code) : "f"(high));
    codes = low_code | static_cast<uint32_t>(high_code) << 16;
#endif
    return codes;
}
KG_DEVICE uint32_t bfloats(float low, float high) {
#if __CUDA_ARCH__ >= 800
    uint32_t codes;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(codes) : "f"(high), "f"(low));
    return codes;
#else
    const auto code = [](float value) {
        const uint32_t bits = __float_as_uint(value);
        const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
        return value != value ? 0x7fffu : rounded;
    };
    return code(low) | code(high) << 16;
#endif
}

/// Converts four values to E4M3, the first in the lowest byte; what is too large becomes 448.
KG_DEVICE uint32_t four_e4m3(float a, float b, float c, float d) {
    uint32_t codes = 0;
#if __CUDA_ARCH__ >= 890
    asm("{\n.reg .b16 low, high;\ncvt.rn.satfinite.e4m3x2.f32 low, %2, %1;\n"
        "cvt.rn.satfinite.e4m3x2.f32 high, %4, %3;\nmov.b32 %0, {low, high};\n}"
        : "=r"(codes)
        : "f"(a), "f"(b), "f"(c), "f"(d));
#endif
    return codes;
}

/// Four of the eight bytes of two words, by their places, 4 bits each.
KG_DEVICE uint32_t bytes_of(uint32_t low, uint32_t high, uint32_t places) { return __byte_perm(low, high, places); }

/// a · b, which no compiler makes a part of a fused multiply-add.
KG_DEVICE float rounded_product(float a, float b) { return __fmul_rn(a, b); }

/// 2^x, 1 / x and 1 / √x, within 2 units in the last place; a subnormal result becomes 0.
KG_DEVICE float approximate_exp2(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
KG_DEVICE float approximate_reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
KG_DEVICE float approximate_rsqrt(float x) {
    float y;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// NaN where either argument is NaN.
KG_DEVICE float smaller_or_nan(float a, float b) {
#if __CUDA_ARCH__ >= 800
    float c;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
#else
    return a != a || a < b ? a : b;
#endif
}
KG_DEVICE float larger_or_nan(float a, float b) {
#if __CUDA_ARCH__ >= 800
    float c;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
#else
    return a != a || a > b ? a : b;
#endif
}

}  // namespace kg

#include "kernelgen/cuda/bulk_copies.cuh"
#include "kernelgen/cuda/matrix_instructions.cuh"
#include "kernelgen/cuda/described_products.cuh"
