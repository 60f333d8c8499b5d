// SPDX-License-Identifier: Apache-2.0
// Products of bf16 numbers in pairs, where the processor multiplies two of each lane at once and adds both to a float
// (AVX-512 BF16). It takes subnormal numbers as 0.
#pragma once

#include "kernelgen/types.h"
#include "kernelgen/vector.h"

namespace kg {

/// Whether products of elements of the dtypes `Left` and `Right` are computed so; `void` is no dtype.
template <class T, class Left, class Right>
inline constexpr bool has_pairs =
#if defined(__AVX512BF16__) && defined(KG_AVX512)
    __is_same(T, float) && __is_same(Left, kg_bf16) && __is_same(Right, kg_bf16);
#else
    false;
#endif

/// Whether one of `count` numbers is subnormal.
inline bool has_subnormals(const float* numbers, int64_t count) {
    uint32_t found = 0;
    for (int64_t i = 0; i < count; ++i) {
        const auto bits = __builtin_bit_cast(uint32_t, numbers[i]);
        found |= static_cast<uint32_t>((bits & 0x7f800000u) == 0) & static_cast<uint32_t>((bits & 0x007fffffu) != 0);
    }
    return found != 0;
}

/// Puts the elements of two neighbouring k, which are bf16 numbers in floats, into one float each, the first in its
/// lower half. `lines` elements for one k follow each other; behind an odd number of k comes 0.
template <int lines>
inline void pair_up(float* packed, int64_t depth) {
    auto* const bits = reinterpret_cast<uint32_t __attribute__((may_alias))*>(packed);
    const int64_t last = depth / 2;
#pragma GCC ivdep
    for (int64_t pair = 0; pair < last; ++pair) {
#pragma GCC ivdep
        for (int i = 0; i < lines; ++i) {
            const uint32_t first = bits[2 * pair * lines + i], second = bits[(2 * pair + 1) * lines + i];
            bits[pair * lines + i] = (second & 0xffff0000u) | first >> 16;
        }
    }
    if (depth % 2 == 0) return;
    for (int i = 0; i < lines; ++i) bits[last * lines + i] = bits[(depth - 1) * lines + i] >> 16;
}

/// sums + row · column in each lane, where `row` is the same in all lanes; of pairs, both products.
template <bool of_pairs, class T>
KG_INLINE vec<T> add_products(vec<T> sums, T row, vec<T> column) {
#if defined(__AVX512BF16__) && defined(KG_AVX512)
    if constexpr (of_pairs)
        return (vec<T>)_mm512_dpbf16_ps((__m512)sums, (__m512bh)_mm512_set1_ps(row), (__m512bh)column);
#endif
    const vec<T> all = row - vec<T>{};  // in all lanes; 0 + x would be another 0 for -0
    return sums + all * column;
}

}  // namespace kg
