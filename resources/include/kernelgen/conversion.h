// SPDX-License-Identifier: Apache-2.0
// Conversions between elements in storage, as vectors of integers or floats, and vectors in the arithmetic type.
#pragma once

#include "kernelgen/processor.h"

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

#if defined(KG_AVX512) || defined(KG_AVX2)
/// Places a vector of up to 16 bytes in a register of 16 bytes.
template <class V>
KG_INLINE __m128i in_register(V values) {
    if constexpr (sizeof values == 16) return (__m128i)values;
    else if constexpr (sizeof values == 8) return _mm_cvtsi64_si128(bits_as<long long>(values));
    else return _mm_cvtsi32_si128(bits_as<int>(values));
}
#endif

/// Widens codes or integers of 8 or 16 bits to 32 bits each. GCC 14 would convert short vectors element by element.
template <int count, class Codes>
KG_INLINE vector<uint32_t, count> widened(Codes codes) {
    using Bits = vector<uint32_t, count>;
#if defined(KG_AVX512)
    if constexpr (sizeof codes == 32 && count == 16) return (Bits)_mm512_cvtepu16_epi32((__m256i)codes);
    if constexpr (sizeof codes == 16 && count == 16) return (Bits)_mm512_cvtepu8_epi32((__m128i)codes);
#endif
#if defined(KG_AVX512) || defined(KG_AVX2)
    if constexpr (sizeof codes == 16 && count == 8) return (Bits)_mm256_cvtepu16_epi32((__m128i)codes);
    if constexpr (sizeof codes == 8 && count == 8) return (Bits)_mm256_cvtepu8_epi32(in_register(codes));
    if constexpr (sizeof codes == 8 && count == 4) return (Bits)_mm_cvtepu16_epi32(in_register(codes));
    if constexpr (sizeof codes == 4 && count == 4) return (Bits)_mm_cvtepu8_epi32(in_register(codes));
#endif
    return __builtin_convertvector(codes, Bits);
}
template <int count>
KG_INLINE vector<int32_t, count> widened_signed(vector<int8_t, count> values) {
    using Whole = vector<int32_t, count>;
#if defined(KG_AVX512)
    if constexpr (count == 16) return (Whole)_mm512_cvtepi8_epi32((__m128i)values);
#endif
#if defined(KG_AVX512) || defined(KG_AVX2)
    if constexpr (count == 8) return (Whole)_mm256_cvtepi8_epi32(in_register(values));
    if constexpr (count == 4) return (Whole)_mm_cvtepi8_epi32(in_register(values));
#endif
    return __builtin_convertvector(values, Whole);
}

/// Narrows 32-bit numbers to elements E, which must be able to represent them. AVX2 packs two halves; GCC 14 would
/// convert single elements.
template <class E, int count, class Wide>
KG_INLINE vector<E, count> narrowed(Wide values) {
    using Narrow = vector<E, count>;
#if defined(KG_AVX2)
    constexpr bool is_signed = __is_same(E, int8_t);
    __m128i low, high;
    if constexpr (count == 8) {
        low = _mm256_castsi256_si128((__m256i)values);
        high = _mm256_extracti128_si256((__m256i)values, 1);
    } else {
        low = high = (__m128i)values;
    }
    __m128i packed = is_signed ? _mm_packs_epi32(low, high) : _mm_packus_epi32(low, high);
    if constexpr (sizeof(E) == 1)
        packed = is_signed ? _mm_packs_epi16(packed, packed) : _mm_packus_epi16(packed, packed);
    if constexpr (sizeof(Narrow) == 16) return (Narrow)packed;
    else if constexpr (sizeof(Narrow) == 8) return bits_as<Narrow>(_mm_cvtsi128_si64(packed));
    else return bits_as<Narrow>(_mm_cvtsi128_si32(packed));
#else
    return __builtin_convertvector(values, Narrow);
#endif
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
    // Flushes subnormal numbers to 0.
    if constexpr (__is_same(S, kg_bf16) && count == 16) return (raw<S, 16>)_mm512_cvtneps_pbh((__m512)values);
#endif
    const auto codes = RawOf<S>::Format::from_float_bits(bits_as<vector<uint32_t, count>>(values));
    return narrowed<typename RawOf<S>::Type, count>(codes);
}

/// Converts int32_t or float to T, exactly where T can represent the value; to double in one instruction, where GCC
/// would use two halves.
template <class T, class E>
KG_INLINE vec<T> widened_to(vector<E, lanes<T>> values) {
#if defined(KG_AVX512)
    if constexpr (sizeof(T) == 8 && __is_same(E, float)) return (vec<T>)_mm512_cvtps_pd((__m256)values);
    if constexpr (sizeof(T) == 8 && __is_same(E, int32_t)) return (vec<T>)_mm512_cvtepi32_pd((__m256i)values);
#elif defined(KG_AVX2)
    if constexpr (sizeof(T) == 8 && __is_same(E, float)) return (vec<T>)_mm256_cvtps_pd((__m128)values);
    if constexpr (sizeof(T) == 8 && __is_same(E, int32_t)) return (vec<T>)_mm256_cvtepi32_pd((__m128i)values);
#endif
    return __builtin_convertvector(values, vec<T>);
}

/// Rounds to nearest even. The result is unspecified where int32_t cannot represent it.
template <Vector V>
KG_INLINE vector<int32_t, lanes<element<V>>> rounded_to_int32(V values) {
    using Whole = vector<int32_t, lanes<element<V>>>;
#if defined(KG_AVX512)
    if constexpr (__is_same(V, vec<float>)) return (Whole)_mm512_cvtps_epi32((__m512)values);
    else return (Whole)_mm512_cvtpd_epi32((__m512d)values);
#elif defined(KG_AVX2)
    if constexpr (__is_same(V, vec<float>)) return (Whole)_mm256_cvtps_epi32((__m256)values);
    else return (Whole)_mm256_cvtpd_epi32((__m256d)values);
#else
    return __builtin_convertvector(round(values), Whole);
#endif
}

#if defined(KG_AVX512)
/// For values that are at most the highest of S. The conversion gives int32_t's lowest value for values below it, from
/// which the result saturates; the mask turns NaN into 0.
template <class S, Vector V>
KG_INLINE raw<S, lanes<element<V>>> saturated(V values) {
    using Raw = raw<S, lanes<element<V>>>;
    if constexpr (__is_same(V, vec<float>)) {
        const __mmask16 numbers = _mm512_cmp_ps_mask((__m512)values, (__m512)values, _CMP_ORD_Q);
        return (Raw)_mm512_cvtsepi32_epi8(_mm512_maskz_cvtps_epi32(numbers, (__m512)values));
    } else {
        const __mmask8 numbers = _mm512_cmp_pd_mask((__m512d)values, (__m512d)values, _CMP_ORD_Q);
        const __m256i whole = _mm512_maskz_cvtpd_epi32(numbers, (__m512d)values);
        if constexpr (sizeof(S) == 4) return (Raw)whole;
        else return bits_as<Raw>(_mm_cvtsi128_si64(_mm256_cvtsepi32_epi8(whole)));
    }
}
#endif

/// Rounds to nearest even and saturates; NaN becomes 0.
template <class S, Vector V>
KG_INLINE raw<S, lanes<element<V>>> integers_of(V values) {
    using T = element<V>;
    using Whole = vector<int32_t, lanes<T>>;
    constexpr bool is_rough = sizeof(S) == sizeof(T);  // float has no 2^31 - 1, but 2^31 - 128
    constexpr T lowest = sizeof(S) == 1 ? T(-128) : T(-2147483648.0);
    constexpr T highest = sizeof(S) == 1 ? T(127) : is_rough ? T(2147483520.0) : T(2147483647.0);
#if defined(KG_AVX512)
    if constexpr (!is_rough) return saturated<S>(at_most(values, V{} + highest));
#endif
    const V number = values == values ? values : V{};
    Whole whole = rounded_to_int32(at_most(at_least(number, V{} + lowest), V{} + highest));
    if constexpr (is_rough) whole = number > highest ? Whole{} + 2147483647 : whole;
    if constexpr (sizeof(S) == 1) return narrowed<S, lanes<T>>(whole);
    else return whole;
}

template <class T, class S>
KG_INLINE vec<T> from_raw(raw<S, lanes<T>> values) {
    if constexpr (is_short_float<S>) return widened_to<T, float>(float_of_short<lanes<T>, S>(values));
    else if constexpr (__is_same(S, int8_t)) return widened_to<T, int32_t>(widened_signed<lanes<T>>(values));
    else return widened_to<T, S>(values);
}

template <class S, class T>
KG_INLINE raw<S, lanes<T>> to_raw(vec<T> values) {
    if constexpr (is_short_float<S>) {
        return short_of_float<lanes<T>, S>(__builtin_convertvector(values, vector<float, lanes<T>>));
    } else if constexpr (__is_same(S, int32_t) || __is_same(S, int8_t)) {
        return integers_of<S>(values);
    } else {
        return __builtin_convertvector(values, raw<S, lanes<T>>);
    }
}

}  // namespace kg
