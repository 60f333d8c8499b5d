// SPDX-License-Identifier: Apache-2.0
// Functions for which the processor has an instruction: square root, bounds, rounding to whole numbers, scaling by a
// power of two.
#pragma once

#include "kernelgen/vector.h"

namespace kg {

#if defined(KG_AVX512)
#define KG_FLOAT(name, ...) _mm512_##name##_ps(__VA_ARGS__)
#define KG_DOUBLE(name, ...) _mm512_##name##_pd(__VA_ARGS__)
#elif defined(KG_AVX2)
#define KG_FLOAT(name, ...) _mm256_##name##_ps(__VA_ARGS__)
#define KG_DOUBLE(name, ...) _mm256_##name##_pd(__VA_ARGS__)
#elif defined(__x86_64__)
#define KG_FLOAT(name, ...) _mm_##name##_ps(__VA_ARGS__)
#define KG_DOUBLE(name, ...) _mm_##name##_pd(__VA_ARGS__)
#endif

#if defined(KG_FLOAT)
#define KG_NATIVE(name, ...)                                                       \
    if constexpr (__is_same(V, vec<float>)) return (V)KG_FLOAT(name, __VA_ARGS__); \
    else return (V)KG_DOUBLE(name, __VA_ARGS__)
#endif

template <Vector V>
KG_INLINE V sqrt(V x) {
#if defined(KG_FLOAT)
    KG_NATIVE(sqrt, x);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V> >(__builtin_sqrt(lane)); });
#endif
}

/// The smaller (larger) of x and `bound`, which is not NaN. NaN stays NaN: the instruction returns its second operand
/// then.
template <Vector V>
KG_INLINE V at_most(V x, V bound) {
#if defined(KG_FLOAT)
    KG_NATIVE(min, bound, x);
#else
    return x > bound ? bound : x;
#endif
}
template <Vector V>
KG_INLINE V at_least(V x, V bound) {
#if defined(KG_FLOAT)
    KG_NATIVE(max, bound, x);
#else
    return x < bound ? bound : x;
#endif
}

#if defined(KG_AVX512)
/// The smaller magnitude of x and `bound`, with x's sign; the bound where x is NaN.
template <Vector V>
KG_INLINE V nearer_to_zero(V x, V bound) {
    KG_NATIVE(range, x, bound, 2);
}
#endif

/// Rounds to a whole number: nearest (ties to even), down, up.
template <Vector V>
KG_INLINE V round(V x) {
#if defined(KG_AVX512)
    KG_NATIVE(roundscale, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    KG_NATIVE(round, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V> >(__builtin_rint(lane)); });
#endif
}
template <Vector V>
KG_INLINE V floor(V x) {
#if defined(KG_AVX512)
    KG_NATIVE(roundscale, x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    KG_NATIVE(round, x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V> >(__builtin_floor(lane)); });
#endif
}
template <Vector V>
KG_INLINE V ceil(V x) {
#if defined(KG_AVX512)
    KG_NATIVE(roundscale, x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    KG_NATIVE(round, x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V> >(__builtin_ceil(lane)); });
#endif
}

/// 2^n for whole n in the exponent range of normal numbers; only the lowest bits of n are used.
template <Vector V>
KG_INLINE V power_of_two(integers<V> n) {
    return bits_as<V>((n + IntegersOf<V>::bias) << IntegersOf<V>::mantissa);
}

/// x · 2^n for whole n in twice that range; rounds only once at overflow and underflow.
template <Vector V>
KG_INLINE V scale(V x, V n) {
#if defined(KG_AVX512)
    KG_NATIVE(scalef, x, n);
#else
    const auto whole = __builtin_convertvector(n, integers<V>);
    const auto half = whole >> 1;
    return x * power_of_two<V>(half) * power_of_two<V>(whole - half);
#endif
}

// The same functions for scalars.
KG_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
KG_INLINE double sqrt(double x) { return __builtin_sqrt(x); }
KG_INLINE float round(float x) { return __builtin_rintf(x); }
KG_INLINE double round(double x) { return __builtin_rint(x); }
KG_INLINE float floor(float x) { return __builtin_floorf(x); }
KG_INLINE double floor(double x) { return __builtin_floor(x); }
KG_INLINE float ceil(float x) { return __builtin_ceilf(x); }
KG_INLINE double ceil(double x) { return __builtin_ceil(x); }

}  // namespace kg
