// SPDX-License-Identifier: Apache-2.0
// Selection, minimum, maximum and sign, for scalars and vectors, with the right results for NaN.
#pragma once

#include "kernelgen/processor.h"

namespace kg {

/// `condition ? a : b`, lane by lane where an argument is a vector.
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

/// 1 where a condition holds, else 0, in arithmetic type T.
template <class T, class M>
KG_INLINE auto number(M condition) {
    return select(condition, T(1), T(0));
}

template <class T>
concept Scalar = __is_same(T, float) || __is_same(T, double);

/// Whether the compiler knows the value and that it is not NaN: then a vector's bound needs no check.
template <Scalar T>
KG_INLINE bool is_known_number(T value) {
    return __builtin_constant_p(value) && value == value;
}

/// Minimum and maximum: NaN where either argument is NaN, as in NumPy and PyTorch.
template <class A, class B>
KG_INLINE auto minimum(A a, B b) {
    if constexpr (Scalar<A> && Scalar<B>) return a != a || a < b ? a : b;
    else if constexpr (Scalar<A>) return minimum(b, a);
    else if constexpr (Scalar<B>) return is_known_number(b) ? at_most(a, A{} + b) : minimum(a, A{} + b);
    else return a != a ? a : at_most(b, a);
}
template <class A, class B>
KG_INLINE auto maximum(A a, B b) {
    if constexpr (Scalar<A> && Scalar<B>) return a != a || a > b ? a : b;
    else if constexpr (Scalar<A>) return maximum(b, a);
    else if constexpr (Scalar<B>) return is_known_number(b) ? at_least(a, A{} + b) : maximum(a, A{} + b);
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

/// -1, 0 or 1; NaN for NaN.
template <class V>
KG_INLINE V sign(V x) {
    return select(x > V{}, V{} + 1, select(x < V{}, V{} - 1, x));
}
KG_INLINE float abs(float x) { return __builtin_fabsf(x); }
KG_INLINE double abs(double x) { return __builtin_fabs(x); }

}  // namespace kg
