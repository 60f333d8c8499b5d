// SPDX-License-Identifier: Apache-2.0
// log, log2, log1p, within 2 units in the last place. The method and the coefficients are FreeBSD's e_log.c and
// e_logf.c.
#pragma once

#include "kernelgen/functions.h"

namespace kg {

template <class T>
struct LogTable;
template <>
struct LogTable<float> {
    static constexpr float smallest_normal = 1.17549435e-38f, subnormal_scale = 33554432.0f, subnormal_exponent = 25;
    static constexpr int32_t half_root_bits = 0x3f3504f3;  // of √½
    static constexpr float ln2_high = 6.9313812256e-01f, ln2_low = 9.0580006145e-06f;
    static constexpr float even[] = {0.40000972152f, 0.24279078841f}, odd[] = {0.66666662693f, 0.28498786688f};
};
template <>
struct LogTable<double> {
    static constexpr double smallest_normal = 2.2250738585072014e-308, subnormal_scale = 18014398509481984.0;
    static constexpr double subnormal_exponent = 54;
    static constexpr int64_t half_root_bits = 0x3fe6a09e667f3bcd;
    static constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    static constexpr double even[] = {3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01};
    static constexpr double odd[] = {6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01,
                                     1.479819860511658591e-01};
};

/// x = 2^exponent (1 + f) with 1 + f from √½ to √2, and log(1 + f) = f − rest. For positive finite x.
template <Vector V>
struct LogParts {
    V exponent, f, rest;
};
template <Vector V>
KG_INLINE LogParts<V> log_parts(V x) {
    using Table = LogTable<element<V>>;
    constexpr int mantissa = IntegersOf<V>::mantissa;
    const auto subnormal = x < Table::smallest_normal;
    const auto bits = bits_as<integers<V>>(subnormal ? x * Table::subnormal_scale : x);
    const auto shifted = (bits - Table::half_root_bits) >> mantissa;
    const V f = bits_as<V>(bits - (shifted << mantissa)) - 1;
    const V exponent = __builtin_convertvector(shifted, V) - (subnormal ? V{} + Table::subnormal_exponent : V{});
    const V s = f / (2 + f), z = s * s, w = z * z;
    const V series = w * polynomial(w, Table::even) + z * polynomial(w, Table::odd);
    const V half_square = element<V>(0.5) * f * f;
    return {exponent, f, half_square - s * (half_square + series)};
}

/// `result`, except where x is not positive and finite: there the logarithm's value.
template <Vector V>
KG_INLINE V log_outside(V x, V result) {
    using T = element<V>;
    const V inside_or_infinite = x == infinity<T> ? V{} + infinity<T> : result;
    const V zero_or_above = x == V{} ? V{} - infinity<T> : inside_or_infinite;
    return x >= V{} ? zero_or_above : V{} + not_a_number<T>;
}

template <Vector V>
KG_INLINE V log(V x) {
    using Table = LogTable<element<V>>;
    const auto [exponent, f, rest] = log_parts(x);
    return log_outside(x, exponent * Table::ln2_high - ((rest - exponent * Table::ln2_low) - f));
}

template <Vector V>
KG_INLINE V log2(V x) {
    using T = element<V>;
    const auto [exponent, f, rest] = log_parts(x);
    return log_outside(x, exponent + (f - rest) * T(1.44269504088896340736));
}

template <Vector V>
KG_INLINE V log1p(V x) {
    const V u = 1 + x;
    // The part of x that rounding 1 + x lost, relative to 1 + x.
    const V correction = (x - (u - 1)) / u;
    const V result = log(u);
    return u == V{} || u == infinity<element<V>> ? result : result + correction;
}

KG_INLINE float log(float x) { return __builtin_logf(x); }
KG_INLINE double log(double x) { return __builtin_log(x); }
KG_INLINE float log2(float x) { return __builtin_log2f(x); }
KG_INLINE double log2(double x) { return __builtin_log2(x); }
KG_INLINE float log1p(float x) { return __builtin_log1pf(x); }
KG_INLINE double log1p(double x) { return __builtin_log1p(x); }

}  // namespace kg
