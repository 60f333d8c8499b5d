// SPDX-License-Identifier: Apache-2.0
// x^y. float: within 1 unit in the last place; double: the C library's function.
#pragma once

#include "kernelgen/conversion.h"
#include "kernelgen/logarithms.h"

namespace kg {

/// x^0.5, written out: GCC's vectoriser would replace it by √x, which differs at -Inf (Inf) and -0 (0).
KG_INLINE double root_power(double x) { return x == -infinity<double> ? infinity<double> : __builtin_sqrt(x) + 0.0; }
KG_INLINE float root_power(float x) { return x == -infinity<float> ? infinity<float> : __builtin_sqrtf(x) + 0.0f; }

KG_INLINE float power(float x, float y) { return y == 0.5f ? root_power(x) : __builtin_powf(x, y); }
KG_INLINE double power(double x, double y) { return y == 0.5 ? root_power(x) : __builtin_pow(x, y); }

template <Vector V>
KG_INLINE V power_of_lanes(V x, V y) {
    for (int i = 0; i < lanes<element<V>>; ++i) x[i] = power(x[i], y[i]);
    return x;
}

#if defined(KG_AVX512)
/// exp(y log x) in double, whose error is far below a float's last place. The C library computes it where x is not
/// positive or not finite, and everywhere where vectors are shorter and the library is faster.
KG_INLINE vec<float> power(vec<float> x, vec<float> y) {
    const auto is_special = x <= 0.0f || x != x || x == infinity<float> || y != y || abs(y) == infinity<float>;
    if (any(is_special)) return power_of_lanes(x, y);
    struct Halves {
        vector<float, lanes<double>> half[2];
    };
    const Halves bases = bits_as<Halves>(x), exponents = bits_as<Halves>(y);
    Halves powers;
    for (int i = 0; i < 2; ++i) {
        const auto base = widened_to<double, float>(bases.half[i]);
        const auto exponent = widened_to<double, float>(exponents.half[i]);
        powers.half[i] = __builtin_convertvector(exp(exponent * log(base)), vector<float, lanes<double>>);
    }
    return bits_as<vec<float>>(powers);
}
#else
KG_INLINE vec<float> power(vec<float> x, vec<float> y) { return power_of_lanes(x, y); }
#endif
KG_INLINE vec<double> power(vec<double> x, vec<double> y) { return power_of_lanes(x, y); }

template <Vector V, Scalar T>
KG_INLINE V power(V x, T y) {
    return power(x, V{} + y);
}
template <Scalar T, Vector V>
KG_INLINE V power(T x, V y) {
    return power(V{} + x, y);
}

}  // namespace kg
