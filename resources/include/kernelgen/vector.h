// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "kernelgen/types.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define KG_AVX512 1
#define KG_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define KG_AVX2 1
#define KG_VECTOR_BYTES 32
#else
#define KG_VECTOR_BYTES 16
#endif

// Vectors never cross a call that is not inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace kg {

template <class E, int lanes>
struct VectorOf {
    typedef E Type __attribute__((vector_size(lanes * sizeof(E))));
};
template <class E, int lanes>
using vector = typename VectorOf<E, lanes>::Type;

/// How many values of arithmetic type T (float or double) a vector holds, and that vector. Vectors have the operators
/// of their elements; a comparison gives a mask, for `select`, `&&`, `||` and `!`.
template <class T>
inline constexpr int lanes = KG_VECTOR_BYTES / static_cast<int>(sizeof(T));
template <class T>
using vec = vector<T, lanes<T>>;

template <class T>
inline constexpr T infinity = T(__builtin_inf());
template <class T>
inline constexpr T not_a_number = T(__builtin_nan(""));

template <class V>
concept Vector = __is_same(V, vec<float>) || __is_same(V, vec<double>);

template <Vector V>
struct ElementOf {
    using Type = float;
};
template <>
struct ElementOf<vec<double>> {
    using Type = double;
};
template <class V>
using element = typename ElementOf<V>::Type;

/// The integers beside a float type or vector, of the same size.
template <class V>
struct IntegersOf;
template <>
struct IntegersOf<vec<float>> {
    using Signed = vector<int32_t, lanes<float>>;
    static constexpr int mantissa = 23;
    static constexpr int32_t bias = 127;
};
template <>
struct IntegersOf<vec<double>> {
    using Signed = vector<int64_t, lanes<double>>;
    static constexpr int mantissa = 52;
    static constexpr int64_t bias = 1023;
};
template <class V>
using integers = typename IntegersOf<V>::Signed;

/// A vector of T from one, or from a scalar for all lanes.
template <class T, class V>
KG_INLINE vec<T> wide(V value) {
    if constexpr (Vector<V>) return value;
    else return vec<T>{} + value;
}

/// Calls a scalar function on every lane.
template <Vector V, class F>
KG_INLINE V each_lane(V x, const F& f) {
    for (int i = 0; i < lanes<element<V>>; ++i) x[i] = f(x[i]);
    return x;
}

// The processor's own operations. -----------------------------------------------------------------------------------

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
#define KG_NATIVE(name, ...) \
    if constexpr (__is_same(V, vec<float>)) return (V)KG_FLOAT(name, __VA_ARGS__); \
    else return (V)KG_DOUBLE(name, __VA_ARGS__)
#endif

template <Vector V>
KG_INLINE V sqrt(V x) {
#if defined(KG_FLOAT)
    KG_NATIVE(sqrt, x);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V>>(__builtin_sqrt(lane)); });
#endif
}

/// x, but not above (below) `bound`, which is not NaN. NaN stays NaN: the instruction gives its second operand then.
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

/// To a whole number: nearest (ties to even), down, up.
template <Vector V>
KG_INLINE V round(V x) {
#if defined(KG_AVX512)
    KG_NATIVE(roundscale, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    KG_NATIVE(round, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V>>(__builtin_rint(lane)); });
#endif
}
template <Vector V>
KG_INLINE V floor(V x) {
#if defined(KG_AVX512)
    KG_NATIVE(roundscale, x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    KG_NATIVE(round, x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V>>(__builtin_floor(lane)); });
#endif
}
template <Vector V>
KG_INLINE V ceil(V x) {
#if defined(KG_AVX512)
    KG_NATIVE(roundscale, x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    KG_NATIVE(round, x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#else
    return each_lane(x, [](auto lane) { return static_cast<element<V>>(__builtin_ceil(lane)); });
#endif
}

/// 2^n for whole n within the exponents of normal numbers; only the lowest bits of n count.
template <Vector V>
KG_INLINE V power_of_two(integers<V> n) {
    return bits_as<V>((n + IntegersOf<V>::bias) << IntegersOf<V>::mantissa);
}

/// x · 2^n for whole n within twice those exponents; overflow and underflow as in one rounding.
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

// Selection, minimum and maximum. -------------------------------------------------------------------------------------

/// `condition ? a : b`, lane by lane where anything is a vector.
template <class M, class A, class B>
KG_INLINE auto select(M condition, A a, B b) {
    if constexpr (__is_same(M, bool)) {
        if constexpr (Vector<A> && !Vector<B>) return condition ? a : A{} + b;
        else if constexpr (Vector<B> && !Vector<A>) return condition ? B{} + a : b;
        else return condition ? a : b;
    } else if constexpr (Vector<A> || Vector<B>) {
        return condition ? a : b;
    } else {
        return condition ? vec<A>{} + a : vec<A>{} + b;
    }
}

/// 1 where a condition holds, 0 where not, in arithmetic type T.
template <class T, class M>
KG_INLINE auto number(M condition) {
    return select(condition, T(1), T(0));
}

template <class T>
concept Scalar = __is_same(T, float) || __is_same(T, double);

/// NaN where either is NaN, as in NumPy and PyTorch.
template <class A, class B>
KG_INLINE auto minimum(A a, B b) {
    if constexpr (Scalar<A> && Scalar<B>) return a != a || a < b ? a : b;
    else if constexpr (Scalar<A>) return minimum(B{} + a, b);
    else if constexpr (Scalar<B>) return minimum(a, A{} + b);
    else return a != a ? a : at_most(b, a);
}
template <class A, class B>
KG_INLINE auto maximum(A a, B b) {
    if constexpr (Scalar<A> && Scalar<B>) return a != a || a > b ? a : b;
    else if constexpr (Scalar<A>) return maximum(B{} + a, b);
    else if constexpr (Scalar<B>) return maximum(a, A{} + b);
    else return a != a ? a : at_least(b, a);
}
template <class V, class L, class H>
KG_INLINE auto clamp(V x, L low, H high) {
    return minimum(maximum(x, low), high);
}

template <class V>
KG_INLINE auto is_nan(V x) {
    return x != x;
}

/// max(x, 0).
template <class V>
KG_INLINE V relu(V x) {
    if constexpr (Scalar<V>) return x < V(0) ? V(0) : x;
    else return at_least(x, V{});
}

/// Whether any lane of a mask is set.
template <class M>
KG_INLINE bool any(M mask) {
    bool found = false;
    for (unsigned i = 0; i < sizeof(M) / sizeof(mask[0]); ++i) found |= mask[i] != 0;
    return found;
}

template <Vector V>
KG_INLINE V abs(V x) {
    return bits_as<V>(bits_as<integers<V>>(x) & ~bits_as<integers<V>>(-V{}));
}

/// |x| with the sign of `sign`.
template <Vector V>
KG_INLINE V with_sign(V x, V sign) {
    const auto sign_bit = bits_as<integers<V>>(-V{});
    return bits_as<V>((bits_as<integers<V>>(x) & ~sign_bit) | (bits_as<integers<V>>(sign) & sign_bit));
}

/// -1, 0 or 1; NaN of NaN.
template <class V>
KG_INLINE V sign(V x) {
    return select(x > V{}, V{} + 1, select(x < V{}, V{} - 1, x));
}

// The same of scalars.
KG_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
KG_INLINE double sqrt(double x) { return __builtin_sqrt(x); }
KG_INLINE float round(float x) { return __builtin_rintf(x); }
KG_INLINE double round(double x) { return __builtin_rint(x); }
KG_INLINE float floor(float x) { return __builtin_floorf(x); }
KG_INLINE double floor(double x) { return __builtin_floor(x); }
KG_INLINE float ceil(float x) { return __builtin_ceilf(x); }
KG_INLINE double ceil(double x) { return __builtin_ceil(x); }
KG_INLINE float abs(float x) { return __builtin_fabsf(x); }
KG_INLINE double abs(double x) { return __builtin_fabs(x); }

}  // namespace kg
