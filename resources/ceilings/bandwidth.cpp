// SPDX-License-Identifier: Apache-2.0
// Copy, read and write at the rate of the memory system: one tile program moves 32768 consecutive elements.
#include <stdint.h>

namespace {

#if defined(__AVX512F__)
constexpr int width = 16;
#elif defined(__AVX__)
constexpr int width = 8;
#else
constexpr int width = 4;
#endif
typedef float vec __attribute__((vector_size(width * sizeof(float)), may_alias));

constexpr int64_t chunk = 32768;
constexpr int64_t prefetch_distance = 1024;  // elements

// Past the caches, where the processor has such a store.
inline void stream(float* target, vec value) {
#if defined(__AVX512F__)
    __builtin_ia32_movntps512(target, value);
#elif defined(__AVX__)
    __builtin_ia32_movntps256(target, value);
#elif defined(__SSE2__)
    __builtin_ia32_movntps(target, value);
#else
    *reinterpret_cast<vec*>(target) = value;
#endif
}

inline void stream_fence() {
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#endif
}

inline vec load(const float* source) { return *reinterpret_cast<const vec*>(source); }

inline int64_t end_of(int64_t first, int64_t n) { return first + chunk < n ? first + chunk : n; }

template <bool prefetch>
void read_chunk(const float* x, float* out, int64_t n, int64_t program) {
    const int64_t first = program * chunk, end = end_of(first, n);
    vec sum[4] = {};
    int64_t i = first;
    for (; i + 4 * width <= end; i += 4 * width) {
        if (prefetch) {
            __builtin_prefetch(x + i + prefetch_distance);
            __builtin_prefetch(x + i + prefetch_distance + 2 * width);
        }
        for (int j = 0; j < 4; ++j) sum[j] += load(x + i + j * width);
    }
    vec total = sum[0] + sum[1] + sum[2] + sum[3];
    float result = 0;
    for (; i < end; ++i) result += x[i];
    for (int j = 0; j < width; ++j) result += total[j];
    out[program] = result;
}

}  // namespace

extern "C" void copy_streaming(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    const int64_t first = pid0 * chunk, end = end_of(first, N);
    int64_t i = first;
    for (; i + 4 * width <= end; i += 4 * width) {
        for (int j = 0; j < 4; ++j) stream(out + i + j * width, load(x + i + j * width));
    }
    for (; i < end; ++i) out[i] = x[i];
    stream_fence();
}

extern "C" void copy_plain(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    const int64_t first = pid0 * chunk, end = end_of(first, N);
    int64_t i = first;
    for (; i + width <= end; i += width) *reinterpret_cast<vec*>(out + i) = load(x + i);
    for (; i < end; ++i) out[i] = x[i];
}

extern "C" void read_plain(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    read_chunk<false>(x, out, N, pid0);
}

extern "C" void read_prefetched(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    read_chunk<true>(x, out, N, pid0);
}

extern "C" void write_streaming(float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    const int64_t first = pid0 * chunk, end = end_of(first, N);
    const vec value = vec{} + 1.0f;
    int64_t i = first;
    for (; i + width <= end; i += width) stream(out + i, value);
    for (; i < end; ++i) out[i] = 1.0f;
    stream_fence();
}

extern "C" void write_plain(float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    const int64_t first = pid0 * chunk, end = end_of(first, N);
    const vec value = vec{} + 1.0f;
    int64_t i = first;
    for (; i + width <= end; i += width) *reinterpret_cast<vec*>(out + i) = value;
    for (; i < end; ++i) out[i] = 1.0f;
}
