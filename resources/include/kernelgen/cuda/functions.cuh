// SPDX-License-Identifier: Apache-2.0
// The functions of the operator language, for float and double. They are right for NaN, ±Inf, 0 and overflow; subnormal
// results may be 0. For float they are within 4 units in the last place; where the case's dtype has 11 bits of
// precision or fewer, within 2^-13 of the value.
#pragma once

namespace kg {

template <class T>
inline constexpr T infinity = static_cast<T>(bits_as<double>(uint64_t(0x7ff0000000000000)));
template <class T>
inline constexpr T not_a_number = static_cast<T>(bits_as<double>(uint64_t(0x7ff8000000000000)));

/// Whether all results are stored with 11 bits of precision or fewer. A source in which an output's dtype does not
/// follow DTYPE defines KG_PRECISE.
#if defined(KG_PRECISE)
inline constexpr bool is_brief = false;
#else
inline constexpr bool is_brief = sizeof(DTYPE) < 4;
#endif

template <class A, class B>
KG_DEVICE auto select(bool condition, A a, B b) {
    return condition ? a : b;
}
/// 1 where a condition holds, else 0.
template <class T>
KG_DEVICE T number(bool condition) {
    return condition ? T(1) : T(0);
}

/// Minimum and maximum: NaN where either argument is NaN, as in NumPy and PyTorch.
KG_DEVICE float minimum(float a, float b) { return smaller_or_nan(a, b); }
KG_DEVICE double minimum(double a, double b) { return a != a || a < b ? a : b; }
KG_DEVICE float maximum(float a, float b) { return larger_or_nan(a, b); }
KG_DEVICE double maximum(double a, double b) { return a != a || a > b ? a : b; }
template <class T>
KG_DEVICE T clamp(T x, T low, T high) {
    return minimum(maximum(x, low), high);
}
template <class T>
KG_DEVICE bool is_nan(T x) {
    return x != x;
}
/// max(x, 0).
template <class T>
KG_DEVICE T relu(T x) {
    return maximum(x, T(0));
}
/// -1, 0 or 1; NaN for NaN.
template <class T>
KG_DEVICE T sign(T x) {
    return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
}

KG_DEVICE float abs(float x) { return fabsf(x); }
KG_DEVICE double abs(double x) { return fabs(x); }
KG_DEVICE float floor(float x) { return floorf(x); }
KG_DEVICE double floor(double x) { return ::floor(x); }
KG_DEVICE float ceil(float x) { return ceilf(x); }
KG_DEVICE double ceil(double x) { return ::ceil(x); }
/// Rounds to the nearest whole number, ties to even.
KG_DEVICE float round(float x) { return rintf(x); }
KG_DEVICE double round(double x) { return rint(x); }
KG_DEVICE float sqrt(float x) { return sqrtf(x); }
KG_DEVICE double sqrt(double x) { return ::sqrt(x); }
KG_DEVICE float rsqrt(float x) { return approximate_rsqrt(x); }
KG_DEVICE double rsqrt(double x) { return 1 / ::sqrt(x); }
template <class T>
KG_DEVICE T reciprocal(T x) {
    return 1 / x;
}

/// log2(e) · x, the argument of 2^x. Its rounding error is the error that a `brief` result may have.
inline constexpr float log2_e = 1.44269504f;

KG_DEVICE float exp(float x) {
    if constexpr (is_brief) return approximate_exp2(x * log2_e);
    else return expf(x);
}
KG_DEVICE double exp(double x) { return ::exp(x); }
KG_DEVICE float exp2(float x) { return exp2f(x); }
KG_DEVICE double exp2(double x) { return ::exp2(x); }
KG_DEVICE float expm1(float x) { return expm1f(x); }
KG_DEVICE double expm1(double x) { return ::expm1(x); }
KG_DEVICE float log(float x) { return logf(x); }
KG_DEVICE double log(double x) { return ::log(x); }
KG_DEVICE float log2(float x) { return log2f(x); }
KG_DEVICE double log2(double x) { return ::log2(x); }
KG_DEVICE float log1p(float x) { return log1pf(x); }
KG_DEVICE double log1p(double x) { return ::log1p(x); }
KG_DEVICE float erf(float x) { return erff(x); }
KG_DEVICE double erf(double x) { return ::erf(x); }
KG_DEVICE float sin(float x) { return sinf(x); }
KG_DEVICE double sin(double x) { return ::sin(x); }
KG_DEVICE float cos(float x) { return cosf(x); }
KG_DEVICE double cos(double x) { return ::cos(x); }
KG_DEVICE float power(float x, float y) { return powf(x, y); }
KG_DEVICE double power(double x, double y) { return ::pow(x, y); }

/// x + x³ p(x²) near 0, 1 − 2 / (1 + e^2|x|) elsewhere: without a branch, and 7 instructions where `brief`.
KG_DEVICE float tanh(float x) {
    if constexpr (is_brief) {
        const float away = fmaf(-2, approximate_reciprocal(1 + approximate_exp2(2 * log2_e * x)), 1);
        return fabsf(x) < 0.015f ? x : away;
    } else {
        const float size = fabsf(x), square = x * x;
        const float away = fmaf(-2, approximate_reciprocal(1 + approximate_exp2(2 * log2_e * size)), 1);
        float p = fmaf(square, 0.0157396831f, -0.0523039624f);
        p = fmaf(square, p, 0.133152977f);
        p = fmaf(square, p, -0.333327681f);
        const float near = fmaf(square * x, p, x);
        return size < 0.55f ? near : copysignf(away, x);
    }
}
KG_DEVICE double tanh(double x) { return ::tanh(x); }

KG_DEVICE float sigmoid(float x) { return approximate_reciprocal(1 + exp(-x)); }
KG_DEVICE double sigmoid(double x) { return 1 / (1 + ::exp(-x)); }

/// Division by a value by which many numbers are divided. It multiplies by the reciprocal, within one unit in the last
/// place, and by a power of two that keeps the reciprocal a normal number.
template <class T>
class Divisor {
public:
    KG_DEVICE explicit Divisor(T value) {
        constexpr T large = sizeof(T) == 4 ? T(1.8446744073709552e19) : T(1.3407807929942597e154);  // 2^64, 2^512
        scale_ = abs(value) > large ? 1 / large : abs(value) < 1 / large ? large : T(1);
        reciprocal_ = 1 / (value * scale_);
    }
    KG_DEVICE T divide(T x) const { return x * reciprocal_ * scale_; }

private:
    T reciprocal_, scale_;
};
template <class T>
KG_DEVICE T operator/(T x, const Divisor<T>& divisor) {
    return divisor.divide(x);
}

}  // namespace kg
