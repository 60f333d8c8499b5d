// SPDX-License-Identifier: Apache-2.0
// The kernels that run before and after a timed kernel.
#include <stdint.h>

namespace {

__device__ unsigned long long nanoseconds() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

constexpr int float4s_in_line = 8;

// Cache lines have priorities from sm_80 on.
__device__ float4 load_to_stay(const float4* from) {
#if __CUDA_ARCH__ >= 800
    float4 value;
    asm volatile(
        "{\n"
        "    .reg .b64 policy;\n"
        "    createpolicy.fractional.L2::evict_last.b64 policy, 1.0;\n"
        "    ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], policy;\n"
        "}"
        : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
        : "l"(from));
    return value;
#else
    return *from;
#endif
}

__device__ void let_go(const float* line) {
#if __CUDA_ARCH__ >= 800
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(line) : "memory");
#endif
}

// Called by a warp.
template <int bytes>
__device__ void fetch_to_l2(const char* from) {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));
#else
    constexpr int sector = 32;
    for (int at = threadIdx.x * sector; at < bytes; at += 32 * sector)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(from + at));
#endif
}

// As `product` of core/backend/checksum.cpp.
__device__ unsigned long long product(unsigned long long word, unsigned long long key) {
    const unsigned low = unsigned(word) + unsigned(key);
    const unsigned high = unsigned(word >> 32) + unsigned(key >> 32);
    return (unsigned long long)low * high;
}

}  // namespace

// Holds the stream until the host has put everything into it, so that no timing includes launch overhead. If the host
// ends, the kernel stops waiting after two seconds.
extern "C" __global__ void hold(const int32_t* released) {
    const unsigned long long limit = nanoseconds() + 2000000000ull;
    while (*static_cast<const volatile int32_t*>(released) == 0 && nanoseconds() < limit) __nanosleep(200);
}

// Reads enough to evict everything else from the L2 cache. Dirty lines are written back by that, so the timed kernel
// does not pay for lines that it did not write. Lines with evict_last are evicted only by other such lines, so the
// flush reads with evict_last, and then makes its lines ordinary ones, which the timed kernel's lines can evict.
extern "C" __global__ void flush(const float* data, float* never, int64_t N) {
    float sum = 0;
    const int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, stride = int64_t(gridDim.x) * blockDim.x;
    for (int64_t i = first; i < N / 4; i += stride) {
        const float4 part = load_to_stay(reinterpret_cast<const float4*>(data) + i);
        sum += part.x + part.y + part.z + part.w;
    }
    for (int64_t i = first; i < N / 4; i += stride) {
        if (i % float4s_in_line == 0) let_go(data + 4 * i);
    }
    if (sum == 1.2345678e30f) *never = sum;
}

// Writes three 64-bit numbers: the time in nanoseconds, in cycles of this multiprocessor, and the multiprocessor's
// number.
extern "C" __global__ void stamp(int32_t* words) {
    auto* const now = reinterpret_cast<volatile unsigned long long*>(words);
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    now[0] = nanoseconds();
    now[1] = clock64();
    now[2] = multiprocessor;
}

// Adds the checksum of `bytes` bytes (core/backend/checksum.h) to `sum`.
extern "C" __global__ void checksum(const unsigned char* data, int64_t bytes, unsigned long long key,
                                    unsigned long long* sum) {
    constexpr unsigned long long step = 0x9e3779b97f4a7c15ull;
    const int64_t words = bytes / 8, first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const int64_t stride = int64_t(gridDim.x) * blockDim.x;
    unsigned long long total = 0;
    for (int64_t i = first; i < words / 2; i += stride) {
        const ulonglong2 pair = reinterpret_cast<const ulonglong2*>(data)[i];
        total += product(pair.x, key + 2 * i * step) + product(pair.y, key + (2 * i + 1) * step);
    }
    if (first == 0) {
        if (words % 2 == 1) {
            const auto* last = reinterpret_cast<const unsigned long long*>(data) + words - 1;
            total += product(*last, key + (words - 1) * step);
        }
        unsigned long long rest = 0;
        for (int64_t i = 0; i < bytes % 8; ++i) rest |= (unsigned long long)data[words * 8 + i] << 8 * i;
        if (bytes % 8 > 0) total += product(rest, key + words * step);
    }
    for (int lane = 16; lane > 0; lane /= 2) total += __shfl_down_sync(0xffffffffu, total, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, total);
}

// Gives each unit of a set of inputs, which begins at `base`, the content that its bit in `state` selects; one block
// for each patch. A patch is four numbers: its unit, its position, its bytes, and the position of its first content in
// `contents`.
extern "C" __global__ void enter_state(unsigned char* base, const unsigned long long* patches,
                                       const unsigned char* contents, unsigned long long state) {
    const unsigned long long* patch = patches + 4 * blockIdx.x;
    const unsigned long long bytes = patch[2];
    const unsigned char* content = contents + patch[3] + (state >> patch[0] & 1 ? bytes : 0);
    for (unsigned long long i = threadIdx.x; i < bytes; i += blockDim.x) base[patch[1] + i] = content[i];
}

// Fetches memory into the L2 beside a timed kernel, and so takes a part of the memory's bandwidth, until `ended` is set.
// A prefetch waits for nothing, so the asked rate (bytes of a block in a nanosecond) is taken however busy the memory
// is. Each block is one warp, which goes through a part of `data` again and again. `running` is set when the first block
// works. If nobody ends the blocks, they stop after twenty seconds.
extern "C" __global__ void __launch_bounds__(32) neighbour(const char* data, int64_t bytes, float rate,
                                                           int32_t* running, const int32_t* ended) {
    constexpr int piece = 64 << 10, looks_after = 4;
    const int64_t pieces = bytes / gridDim.x / piece;
    const char* const own = data + blockIdx.x * pieces * piece;
    const unsigned long long begin = nanoseconds(), limit = begin + 20000000000ull;
    if (blockIdx.x == 0 && threadIdx.x == 0) *static_cast<volatile int32_t*>(running) = 1;
    for (int64_t done = 0;; ++done) {
        const float due = float(done) * piece / rate;  // nanoseconds
        while (float(nanoseconds() - begin) < due) __nanosleep(100);
        const bool looks = done % looks_after == 0;  // a look takes as long as a load
        const bool is_over = looks && (*static_cast<const volatile int32_t*>(ended) != 0 || nanoseconds() > limit);
        if (__any_sync(0xffffffffu, is_over)) return;
        fetch_to_l2<piece>(own + done % pieces * piece);
    }
}
