// SPDX-License-Identifier: Apache-2.0
// exp, exp2, expm1, tanh, sigmoid, erf, rsqrt, reciprocal. Results of vectors are within 2 units in the last place
// (tanh and sigmoid: 2.5), and right for NaN, ±Inf, 0 and overflow; a sigmoid below the smallest normal number is 0.
// The polynomials interpolate at Chebyshev nodes.
#pragma once

#include "kernelgen/selection.h"

namespace kg {

/// c[0] + c[1] x + …, in pairs of terms: half as many dependent steps as Horner's scheme.
template <Vector V, int count>
KG_INLINE V polynomial(V x, const element<V> (&c)[count]) {
    const V square = x * x;
    constexpr int last_pair = (count - 1) / 2 * 2;
    V sum = last_pair + 1 < count ? c[count - 1] * x + c[last_pair] : V{} + c[last_pair];
    for (int i = last_pair - 2; i >= 0; i -= 2) sum = sum * square + (c[i + 1] * x + c[i]);
    return sum;
}

/// Constants of exp for a type: the bounds beyond which results no longer change; ln 2 in two parts, where the first
/// times a whole number is exact; and q of exp(r) = 1 + r + r² q(r) for |r| ≤ ln 2 / 2.
template <class T>
struct ExpTable;
template <>
struct ExpTable<float> {
    static constexpr float highest = 89.0f, lowest = -104.0f, lowest_expm1 = -20.0f;
    static constexpr float aligner = 12582912.0f;  // adding 1.5 · 2^23 leaves no fraction
    static constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
    static constexpr int terms = 5;
    static constexpr float q[terms] = {0.5f, 0.16666576666f, 0.041666554213f, 0.0083632328837f, 0.0013926250832f};
};
template <>
struct ExpTable<double> {
    static constexpr double highest = 710.0, lowest = -746.0, lowest_expm1 = -40.0;
    static constexpr double aligner = 6755399441055744.0;
    static constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    static constexpr int terms = 11;
    static constexpr double q[terms] = {0.5,
                                        0.1666666666666667103,
                                        0.041666666666666669783,
                                        0.0083333333333260831202,
                                        0.0013888888888883711167,
                                        0.00019841269875002278793,
                                        0.0000248015873256774619,
                                        2.7557255170000887438e-6,
                                        2.7557273478718580474e-7,
                                        2.5105312729622101787e-8,
                                        2.09147553258932022e-9};
};

/// x = n ln 2 + r for whole n; |r| ≤ ln 2 / 2 where x is within the table's bounds. The low bits of `aligned` hold n
/// too.
template <Vector V>
struct ExpParts {
    V aligned, n, r;
};
template <Vector V>
KG_INLINE ExpParts<V> exp_parts(V x) {
    using T = element<V>;
    using Table = ExpTable<T>;
    const V aligned = x * T(1.44269504088896340736) + Table::aligner;
    const V n = aligned - Table::aligner;
    return {aligned, n, (x - n * Table::ln2_high) - n * Table::ln2_low};
}

/// Horner's scheme, which has the fewest operations: many evaluations are in flight at once.
template <Vector V>
KG_INLINE V exp(V x) {
    using T = element<V>;
    using Table = ExpTable<T>;
#if defined(KG_AVX512)
    // Scaling a positive number by 2^n is right for every n, also for NaN and infinities, so only r needs a bound.
    const auto parts = exp_parts(x);
    const V r = nearer_to_zero(parts.r, V{} + T(0.5));
#else
    const auto parts = exp_parts(at_most(at_least(x, V{} + Table::lowest), V{} + Table::highest));
    const V r = parts.r;
#endif
    V sum = V{} + Table::q[Table::terms - 1];
    for (int i = Table::terms - 2; i >= 0; --i) sum = sum * r + Table::q[i];
    return scale((sum * r + 1) * r + 1, parts.n);
}

template <Vector V>
KG_INLINE V exp2(V x) {
    using T = element<V>;
    using Table = ExpTable<T>;
    constexpr T highest = sizeof(T) == 4 ? 129 : 1025, lowest = sizeof(T) == 4 ? -151 : -1076;
    const V bounded = at_most(at_least(x, V{} + lowest), V{} + highest);
    const V n = (bounded + Table::aligner) - Table::aligner;
    const V r = (bounded - n) * T(0.693147180559945309417);
    return scale(r + r * r * polynomial(r, Table::q) + 1, n);
}

/// (exp(x) − 1) / 2 for x within the table's bounds of expm1. Half of 2^n is finite also where 2^n is not.
template <Vector V>
KG_INLINE V half_expm1(V x) {
    const auto parts = exp_parts(x);
    const V half = power_of_two<V>(bits_as<integers<V>>(parts.aligned) - 1);
    const V fraction = parts.r + parts.r * parts.r * polynomial(parts.r, ExpTable<element<V>>::q);
    return half * fraction + (half - element<V>(0.5));
}

template <Vector V>
KG_INLINE V expm1(V x) {
    using Table = ExpTable<element<V>>;
    return half_expm1(at_most(at_least(x, V{} + Table::lowest_expm1), V{} + Table::highest)) * 2;
}

/// tanh(|x|) = t / (t + 2) with t = exp(2|x|) − 1.
template <Vector V>
KG_INLINE V tanh(V x) {
    const V half = half_expm1(at_most(abs(x), V{} + 20) * 2);
    return with_sign(half / (half + 1), x);
}

template <Vector V>
KG_INLINE V sigmoid(V x) {
    return 1 / (1 + exp(-x));
}

template <Vector V>
KG_INLINE V rsqrt(V x) {
    return 1 / sqrt(x);
}

template <class V>
KG_INLINE V reciprocal(V x) {
    return 1 / x;
}

/// erf(a) = a + a·p(a²) for small |a|, and 1 − exp(−g(|a|)) for the others.
KG_INLINE vec<float> erf(vec<float> a) {
    constexpr float p[] = {1.28379166e-1f,  -3.76125336e-1f, 1.12819925e-1f,
                           -2.67681349e-2f, 4.99119423e-3f,  -5.96761703e-4f};
    constexpr float g[] = {0.0f,           -1.0f - 1.28717512e-1f, -6.34846687e-1f, -1.06777877e-1f,
                           2.42546219e-2f, -3.88396438e-3f,        3.83197126e-4f,  -1.72853470e-5f};
    const vec<float> t = abs(a);
    const vec<float> bounded = at_most(t, vec<float>{} + 4.0f);
    const vec<float> large = 1 - exp(polynomial(bounded, g));
    return t > 0.927734375f ? with_sign(large, a) : a + a * polynomial(a * a, p);
}
KG_INLINE vec<double> erf(vec<double> a) {
    constexpr double p[] = {0.12837916709551256654,    -0.37612638903183540438,     0.11283791670945006266,
                            -0.02686617064323777036,   0.0052239776071164227321,    -0.00085483259753896920806,
                            0.00012055294904839707917, -0.000014924736907419660338, 1.644742470331736241e-6,
                            -1.6208483801871705902e-7, 1.3720064546777685604e-8,    -7.7958988270021422416e-10};
    constexpr double g[] = {
        1.849605509933248228,      2.638967514234796934,     0.8431072563582272937,     0.0415610980512384986,
        -0.01003382548049753681,   0.00197790330242286066,   -0.0002373258712118808381, -0.00002626690329390497924,
        0.00002713333400888848913, -9.563871278242313075e-6, 2.000305114299683841e-6,   -8.28207883657972089e-8,
        -1.442548161824551922e-7,  8.011218537639235197e-8,  -2.795798904477609512e-8,  7.54214932196508841e-9,
        -1.658276980530426646e-9,  3.017433270501360648e-10, -4.543988836086103346e-11, 5.612448433822751993e-12,
        -5.592022877881563601e-13, 4.381019372861166254e-14, -2.595547967493093989e-15, 1.09167712987682301e-16,
        -2.900582630610291248e-18, 3.654560758328259753e-20};
    const vec<double> t = abs(a);
    const vec<double> bounded = at_most(t, vec<double>{} + 6.0);
    const vec<double> large = 1 - exp(-polynomial(bounded - 1, g));
    return t > 1.0 ? with_sign(large, a) : a + a * polynomial(a * a, p);
}

// The same functions for scalars, from the C library.
KG_INLINE float exp(float x) { return __builtin_expf(x); }
KG_INLINE double exp(double x) { return __builtin_exp(x); }
KG_INLINE float exp2(float x) { return __builtin_exp2f(x); }
KG_INLINE double exp2(double x) { return __builtin_exp2(x); }
KG_INLINE float expm1(float x) { return __builtin_expm1f(x); }
KG_INLINE double expm1(double x) { return __builtin_expm1(x); }
KG_INLINE float tanh(float x) { return __builtin_tanhf(x); }
KG_INLINE double tanh(double x) { return __builtin_tanh(x); }
KG_INLINE float erf(float x) { return __builtin_erff(x); }
KG_INLINE double erf(double x) { return __builtin_erf(x); }
template <Scalar T>
KG_INLINE T sigmoid(T x) {
    return 1 / (1 + exp(-x));
}
template <Scalar T>
KG_INLINE T rsqrt(T x) {
    return 1 / sqrt(x);
}

}  // namespace kg
