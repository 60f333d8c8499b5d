// SPDX-License-Identifier: Apache-2.0
// sin and cos, within 2 units in the last place. The polynomials are those of Cephes (float) and FreeBSD (double).
#pragma once

#include "kernelgen/functions.h"

namespace kg {

/// π/2 in parts, whose products with whole numbers up to `largest` · 2/π are exact; and the polynomials of sin(r) = r +
/// r³ s(r²) and cos(r) = 1 − r²/2 + r⁴ c(r²) for |r| ≤ π/4.
template <class T>
struct SineTable;
template <>
struct SineTable<float> {
    static constexpr float largest = 4096.0f, aligner = 12582912.0f;
    static constexpr float part[] = {1.5703125f, 4.83751296997070312e-4f, 7.54953362047672271e-8f, 2.56334272840e-12f};
    static constexpr float s[] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f};
    static constexpr float c[] = {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f};
};
template <>
struct SineTable<double> {
    static constexpr double largest = 1.0e6, aligner = 6755399441055744.0;
    static constexpr double part[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11,
                                      2.02226624871116645580e-21, 8.47842766036889956997e-32};
    static constexpr double s[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                   -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                   -2.50507602534068634195e-08, 1.58969099521155010221e-10};
    static constexpr double c[] = {4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                   2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                   2.08757232129817482790e-09, -1.13596475577881948265e-11};
};

/// sin(x + quarter · π/2) for |x| ≤ the table's `largest`.
template <Vector V>
KG_INLINE V sine_of_quarters(V x, int quarter) {
    using T = element<V>;
    using Table = SineTable<T>;
    const V aligned = x * T(0.63661977236758134308) + Table::aligner;
    const V n = aligned - Table::aligner;
    const V r = ((x - n * Table::part[0]) - n * Table::part[1]) - n * Table::part[2] - n * Table::part[3];
    const V square = r * r;
    const V sine = r + r * square * polynomial(square, Table::s);
    const V cosine = 1 - (T(0.5) * square - square * square * polynomial(square, Table::c));
    const auto turns = bits_as<integers<V>>(aligned) + quarter;
    const V value = (turns & 1) != 0 ? cosine : sine;
    return (turns & 2) != 0 ? -value : value;
}

template <Vector V>
KG_INLINE V sin(V x) {
    using T = element<V>;
    if (any(abs(x) > SineTable<T>::largest))
        return each_lane(x, [](T lane) { return static_cast<T>(__builtin_sin(lane)); });
    return sine_of_quarters(x, 0);
}

template <Vector V>
KG_INLINE V cos(V x) {
    using T = element<V>;
    if (any(abs(x) > SineTable<T>::largest))
        return each_lane(x, [](T lane) { return static_cast<T>(__builtin_cos(lane)); });
    return sine_of_quarters(x, 1);
}

KG_INLINE float sin(float x) { return __builtin_sinf(x); }
KG_INLINE double sin(double x) { return __builtin_sin(x); }
KG_INLINE float cos(float x) { return __builtin_cosf(x); }
KG_INLINE double cos(double x) { return __builtin_cos(x); }

}  // namespace kg
