// SPDX-License-Identifier: Apache-2.0
// Loads and stores of a vector's worth of columns, whole or (at the end of a row) in part, converted between storage and
// arithmetic; and the loop over columns. Nothing outside the given columns is ever read or written.
#pragma once

#include "kernelgen/vector.h"

namespace kg {

template <class T>
KG_INLINE T smaller(T a, T b) {
    return a < b ? a : b;
}

/// Rows or columns [first, last) of one tile program: the tile'th piece of `block` of [0, size).
struct Tile {
    int64_t first, last;
};
KG_INLINE Tile tile(int64_t index, int64_t block, int64_t size) {
    return {index * block, smaller((index + 1) * block, size)};
}

/// A vector's worth of columns from `first`: all lanes of a vector of T, or the first `count` of them. `slot` is the
/// place in an unrolled iteration.
template <class T_, int slot_>
struct WholeVector {
    using T = T_;
    static constexpr int slot = slot_;
    int64_t first;
};
template <class T_>
struct PartialVector {
    using T = T_;
    static constexpr int slot = 0;
    int64_t first;
    int count;
};
template <class J>
inline constexpr bool is_partial = requires(J j) { j.count; };

/// Calls body(WholeVector or PartialVector) for the columns [first, last), `unroll` vectors an iteration.
template <class T, int unroll, int slot = 0, class Body>
KG_INLINE void unrolled(int64_t first, const Body& body) {
    if constexpr (slot < unroll) {
        body(WholeVector<T, slot>{first + slot * lanes<T>});
        unrolled<T, unroll, slot + 1>(first, body);
    }
}
template <class T, int unroll, class Body>
KG_INLINE void for_columns(int64_t first, int64_t last, const Body& body) {
    for (; first + unroll * lanes<T> <= last; first += unroll * lanes<T>) unrolled<T, unroll>(first, body);
    for (; first + lanes<T> <= last; first += lanes<T>) body(WholeVector<T, 0>{first});
    if (first < last) body(PartialVector<T>{first, static_cast<int>(last - first)});
}

// What storage holds, as vectors of plain numbers. -----------------------------------------------------------------------

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
    if constexpr (__is_same(S, kg_f16) && count == 16) return (raw<S, 16>)_mm512_cvtps_ph((__m512)values, _MM_FROUND_TO_NEAREST_INT);
#endif
#if defined(__F16C__)
    if constexpr (__is_same(S, kg_f16) && count == 8) return (raw<S, 8>)_mm256_cvtps_ph((__m256)values, _MM_FROUND_TO_NEAREST_INT);
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

// Memory. -----------------------------------------------------------------------------------------------------------------

template <class R>
KG_INLINE R load_bytes(const void* from, int bytes) {
#if defined(KG_AVX512)
    if constexpr (sizeof(R) == 64) return (R)_mm512_maskz_loadu_epi8((1ull << bytes) - 1, from);
    if constexpr (sizeof(R) == 32) return (R)_mm256_maskz_loadu_epi8((1u << bytes) - 1, from);
    if constexpr (sizeof(R) == 16) return (R)_mm_maskz_loadu_epi8(static_cast<__mmask16>((1u << bytes) - 1), from);
#endif
    R values{};
    __builtin_memcpy(&values, from, static_cast<size_t>(bytes));
    return values;
}

template <class R>
KG_INLINE void store_bytes(void* to, R values, int bytes) {
#if defined(KG_AVX512)
    if constexpr (sizeof(R) == 64) return _mm512_mask_storeu_epi8(to, (1ull << bytes) - 1, (__m512i)values);
    if constexpr (sizeof(R) == 32) return _mm256_mask_storeu_epi8(to, (1u << bytes) - 1, (__m256i)values);
    if constexpr (sizeof(R) == 16) return _mm_mask_storeu_epi8(to, static_cast<__mmask16>((1u << bytes) - 1), (__m128i)values);
#endif
    __builtin_memcpy(to, &values, static_cast<size_t>(bytes));
}

/// Past the caches, where the address allows it: a line that is written whole need not be read first.
template <class R>
KG_INLINE void stream_bytes(void* to, R values) {
#if defined(__x86_64__)
    if (reinterpret_cast<uintptr_t>(to) % sizeof(R) == 0) [[likely]] {
#if defined(KG_AVX512)
        if constexpr (sizeof(R) == 64) return _mm512_stream_si512(static_cast<__m512i*>(to), (__m512i)values);
#endif
#if defined(__AVX__)
        if constexpr (sizeof(R) == 32) return _mm256_stream_si256(static_cast<__m256i*>(to), (__m256i)values);
#endif
        if constexpr (sizeof(R) == 16) return _mm_stream_si128(static_cast<__m128i*>(to), (__m128i)values);
    }
#endif
    __builtin_memcpy(to, &values, sizeof values);
}

/// Columns j of a row, in arithmetic.
template <class S, class J>
KG_INLINE auto load(const S* row, J j) {
    using T = typename J::T;
    using Raw = raw<S, lanes<T>>;
    Raw values;
    if constexpr (is_partial<J>) values = load_bytes<Raw>(row + j.first, j.count * static_cast<int>(sizeof(S)));
    else __builtin_memcpy(&values, row + j.first, sizeof values);
    return from_raw<T, S>(values);
}

/// One element, in arithmetic type T.
template <class T, class S>
KG_INLINE T load_one(const S* element_of_row) {
    if constexpr (is_short_float<S>) return static_cast<T>(static_cast<float>(*element_of_row));
    else return static_cast<T>(*element_of_row);
}

/// Writes columns j of a row; with `stream`, past the caches (then `end_of_stores` ends the tile program).
template <bool stream = false, class S, class J, class V>
KG_INLINE void store(S* row, J j, V value) {
    using T = typename J::T;
    const auto values = to_raw<S, T>(wide<T>(value));
    if constexpr (is_partial<J>) store_bytes(row + j.first, values, j.count * static_cast<int>(sizeof(S)));
    else if constexpr (stream) stream_bytes(row + j.first, values);
    else __builtin_memcpy(row + j.first, &values, sizeof values);
}

/// Makes streamed stores visible before this tile program is reported as done.
template <bool stream>
KG_INLINE void end_of_stores() {
#if defined(__x86_64__)
    if constexpr (stream) _mm_sfence();
#endif
}

/// Asks for what lies `lines` cache lines beyond columns j; for nothing where `lines` is 0. Never faults.
template <int lines, class S, class J>
KG_INLINE void prefetch(const S* row, J j) {
    if constexpr (lines > 0) __builtin_prefetch(reinterpret_cast<const char*>(row + j.first) + lines * 64);
}

/// Asks for columns j of the row of `columns` that lies `rows` further on. While a pass computes on what the caches hold,
/// the memory would otherwise idle.
template <int rows, class S, class J>
KG_INLINE void prefetch_row(const S* row, int64_t columns, J j) {
    if constexpr (rows > 0) __builtin_prefetch(row + rows * columns + j.first);
}

}  // namespace kg
