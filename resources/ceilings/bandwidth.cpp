// SPDX-License-Identifier: Apache-2.0
// Copy, read and write at the rate of the memory system. One tile program moves CHUNK elements: consecutive ones, or
// those of a tile of a matrix. On some processors short runs of elements from many rows move up to a third faster.
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

constexpr int64_t chunk = CHUNK;
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

// Calls run(first, end) for each run of consecutive elements that this program moves.
template <class Run>
inline void consecutive(int64_t n, int64_t program, Run run) {
    run(program * chunk, end_of(program * chunk, n));
}

// The same for a tile of `columns` columns of a matrix with 4096. The rows that do not fill a tile are consecutive.
template <int64_t columns, class Run>
inline void tile(int64_t n, int64_t program, Run run) {
    constexpr int64_t row = 4096, rows = chunk / columns, tiles = row / columns;
    const int64_t group = program / tiles * tiles * chunk;
    if (group + tiles * chunk > n) return consecutive(n, program, run);
    for (int64_t r = 0; r < rows; ++r) {
        const int64_t first = group + r * row + program % tiles * columns;
        run(first, first + columns);
    }
}

inline void copy_run(const float* x, float* out, int64_t first, int64_t end) {
    int64_t i = first;
    for (; i + 4 * width <= end; i += 4 * width) {
        for (int j = 0; j < 4; ++j) stream(out + i + j * width, load(x + i + j * width));
    }
    for (; i < end; ++i) out[i] = x[i];
}

struct Sum {
    vec vectors[4] = {};
    float rest = 0;

    template <bool prefetch>
    void add(const float* x, int64_t first, int64_t end) {
        int64_t i = first;
        for (; i + 4 * width <= end; i += 4 * width) {
            if (prefetch) {
                __builtin_prefetch(x + i + prefetch_distance);
                __builtin_prefetch(x + i + prefetch_distance + 2 * width);
            }
            for (int j = 0; j < 4; ++j) vectors[j] += load(x + i + j * width);
        }
        for (; i < end; ++i) rest += x[i];
    }

    float total() const {
        const vec sum = vectors[0] + vectors[1] + vectors[2] + vectors[3];
        float result = rest;
        for (int j = 0; j < width; ++j) result += sum[j];
        return result;
    }
};

template <bool prefetch>
void read_chunk(const float* x, float* out, int64_t n, int64_t program) {
    Sum sum;
    consecutive(n, program, [&](int64_t first, int64_t end) { sum.add<prefetch>(x, first, end); });
    out[program] = sum.total();
}

template <int64_t columns>
void read_tile(const float* x, float* out, int64_t n, int64_t program) {
    Sum sum;
    tile<columns>(n, program, [&](int64_t first, int64_t end) { sum.add<false>(x, first, end); });
    out[program] = sum.total();
}

template <int64_t columns>
void copy_tile(const float* x, float* out, int64_t n, int64_t program) {
    tile<columns>(n, program, [&](int64_t first, int64_t end) { copy_run(x, out, first, end); });
    stream_fence();
}

}  // namespace

extern "C" void copy_streaming(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    consecutive(N, pid0, [&](int64_t first, int64_t end) { copy_run(x, out, first, end); });
    stream_fence();
}

extern "C" void copy_plain(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    const int64_t first = pid0 * chunk, end = end_of(first, N);
    int64_t i = first;
    for (; i + width <= end; i += width) *reinterpret_cast<vec*>(out + i) = load(x + i);
    for (; i < end; ++i) out[i] = x[i];
}

extern "C" void copy_tile_256(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    copy_tile<256>(x, out, N, pid0);
}

extern "C" void copy_tile_512(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    copy_tile<512>(x, out, N, pid0);
}

extern "C" void read_plain(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    read_chunk<false>(x, out, N, pid0);
}

extern "C" void read_prefetched(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    read_chunk<true>(x, out, N, pid0);
}

extern "C" void read_tile_256(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    read_tile<256>(x, out, N, pid0);
}

extern "C" void read_tile_512(const float* x, float* out, int64_t N, int64_t pid0, int64_t, int64_t) {
    read_tile<512>(x, out, N, pid0);
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
