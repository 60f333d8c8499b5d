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

// Vectors are passed only to functions that are inlined, so the ABI does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace kg {

template <class E, int lanes>
struct VectorOf {
    typedef E Type __attribute__((vector_size(lanes * sizeof(E))));
};
template <class E, int lanes>
using vector = typename VectorOf<E, lanes>::Type;

/// The number of values of arithmetic type T (float or double) in a vector, and the vector type. Vectors have the
/// operators of their elements; a comparison gives a mask, for `select`, `&&`, `||` and `!`.
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

/// The integer type (scalar or vector) with the size of a float type.
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

/// Makes a vector of T from a vector, or from a scalar for all lanes.
template <class T, class V>
KG_INLINE vec<T> wide(V value) {
    if constexpr (Vector<V>) return value;
    else return vec<T>{} + value;
}

/// Applies a scalar function to every lane.
template <Vector V, class F>
KG_INLINE V each_lane(V x, const F& f) {
    for (int i = 0; i < lanes<element<V>>; ++i) x[i] = f(x[i]);
    return x;
}

}  // namespace kg
