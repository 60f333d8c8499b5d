// SPDX-License-Identifier: Apache-2.0
// Between what storage holds, as vectors of plain numbers, and vectors in arithmetic.
#pragma once

#include "kernelgen/vector.h"

namespace kg {

template <class S>
struct RawOf {
    using Type = S;
};
template <>
struct RawOf<kg_f16> {
    using Type = uint16_t;
    using Format = HalfFormat;
};
template <class Bits, class Format_>
struct RawOf<Stored<Bits, Format_>> {
    using Type = Bits;
    using Format = Format_;
};
template <class S, int count>
using raw = vector<typename RawOf<S>::Type, count>;
template <class S>
inline constexpr bool is_short_float = requires { typename RawOf<S>::Format; };

/// Codes of 8 or 16 bits as 32 bits each.
template <int count, class Codes>
KG_INLINE vector<uint32_t, count> widened(Codes codes) {
#if defined(KG_AVX512)
    using Bits = vector<uint32_t, count>;
    if constexpr (sizeof codes == 32 && count == 16) return (Bits)_mm512_cvtepu16_epi32((__m256i)codes);
    if constexpr (sizeof codes == 16 && count == 16) return (Bits)_mm512_cvtepu8_epi32((__m128i)codes);
#endif
    return __builtin_convertvector(codes, vector<uint32_t, count>);
}

template <int count, class S>
KG_INLINE vector<float, count> float_of_short(raw<S, count> codes) {
#if defined(KG_AVX512)
    if constexpr (__is_same(S, kg_f16) && count == 16) return (vector<float, 16>)_mm512_cvtph_ps((__m256i)codes);
#endif
#if defined(__F16C__)
    if constexpr (__is_same(S, kg_f16) && count == 8) return (vector<float, 8>)_mm256_cvtph_ps((__m128i)codes);
#endif
    return bits_as<vector<float, count>>(RawOf<S>::Format::to_float_bits(widened<count>(codes)));
}

template <int count, class S>
KG_INLINE raw<S, count> short_of_float(vector<float, count> values) {
#if defined(KG_AVX512)
    if constexpr (__is_same(S, kg_f16) && count == 16)
        return (raw<S, 16>)_mm512_cvtps_ph((__m512)values, _MM_FROUND_TO_NEAREST_INT);
#endif
#if defined(__F16C__)
    if constexpr (__is_same(S, kg_f16) && count == 8)
        return (raw<S, 8>)_mm256_cvtps_ph((__m256)values, _MM_FROUND_TO_NEAREST_INT);
#endif
#if defined(__AVX512BF16__) && defined(KG_AVX512)
    // Takes subnormal numbers for 0.
    if constexpr (__is_same(S, kg_bf16) && count == 16) return (raw<S, 16>)_mm512_cvtneps_pbh((__m512)values);
#endif
    const auto codes = RawOf<S>::Format::from_float_bits(bits_as<vector<uint32_t, count>>(values));
    return __builtin_convertvector(codes, raw<S, count>);
}

/// Rounds to nearest even, saturates, and makes 0 of NaN.
template <class S, int count>
KG_INLINE raw<S, count> integers_of(vector<double, count> values) {
    using Doubles = vector<double, count>;
    using Integers = vector<int64_t, count>;
    constexpr double aligner = 6755399441055744.0;  // adding 1.5 · 2^52 leaves the whole number in the low bits
    const Doubles lowest = Doubles{} + (sizeof(S) == 1 ? -128.0 : -2147483648.0);
    const Doubles highest = Doubles{} + (sizeof(S) == 1 ? 127.0 : 2147483647.0);
    const Doubles number = values == values ? values : Doubles{};
    const Doubles above = number < lowest ? lowest : number;
    const Doubles bounded = above > highest ? highest : above;
    return __builtin_convertvector(bits_as<Integers>(bounded + aligner), raw<S, count>);
}

template <class T, class S>
KG_INLINE vec<T> from_raw(raw<S, lanes<T>> values) {
    if constexpr (is_short_float<S>) return __builtin_convertvector((float_of_short<lanes<T>, S>(values)), vec<T>);
    else return __builtin_convertvector(values, vec<T>);
}

template <class S, class T>
KG_INLINE raw<S, lanes<T>> to_raw(vec<T> values) {
    if constexpr (is_short_float<S>) {
        return short_of_float<lanes<T>, S>(__builtin_convertvector(values, vector<float, lanes<T>>));
    } else if constexpr (__is_same(S, int32_t) || __is_same(S, int8_t)) {
        return integers_of<S, lanes<T>>(__builtin_convertvector(values, vector<double, lanes<T>>));
    } else {
        return __builtin_convertvector(values, raw<S, lanes<T>>);
    }
}

}  // namespace kg
