// SPDX-License-Identifier: Apache-2.0
// Loads and stores of a vector of columns, complete or (at the end of a row) partial, converted between storage and
// arithmetic. Nothing outside the given columns is ever read or written.
#pragma once

#include "kernelgen/columns.h"
#include "kernelgen/conversion.h"

namespace kg {

/// A vector at an unaligned address. With memcpy GCC would move short vectors element by element through general
/// registers.
template <class R>
struct __attribute__((packed, may_alias)) AnywhereInMemory {
    R values;
};
template <class R>
KG_INLINE R load_vector(const void* from) {
    return static_cast<const AnywhereInMemory<R>*>(from)->values;
}
template <class R>
KG_INLINE void store_vector(void* to, R values) {
    static_cast<AnywhereInMemory<R>*>(to)->values = values;
}

template <class R>
KG_INLINE R load_bytes(const void* from, int bytes) {
#if defined(KG_AVX512)
    if constexpr (sizeof(R) == 64) return (R)_mm512_maskz_loadu_epi8((1ull << bytes) - 1, from);
    if constexpr (sizeof(R) == 32) return (R)_mm256_maskz_loadu_epi8((1u << bytes) - 1, from);
    if constexpr (sizeof(R) <= 16) {
        const __m128i values = _mm_maskz_loadu_epi8(static_cast<__mmask16>((1u << bytes) - 1), from);
        R result;
        __builtin_memcpy(&result, &values, sizeof result);
        return result;
    }
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
    if constexpr (sizeof(R) <= 16) {
        __m128i wide{};
        __builtin_memcpy(&wide, &values, sizeof values);
        return _mm_mask_storeu_epi8(to, static_cast<__mmask16>((1u << bytes) - 1), wide);
    }
#endif
    __builtin_memcpy(to, &values, static_cast<size_t>(bytes));
}

/// A non-temporal store, where the address is aligned for it: a line that is completely written need not be read first.
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
    store_vector(to, values);
}

/// Loads columns j of a row, in the arithmetic type.
template <class S, class J>
KG_INLINE auto load(const S* row, J j) {
    using T = typename J::T;
    using Raw = raw<S, lanes<T>>;
    if constexpr (is_partial<J>)
        return from_raw<T, S>(load_bytes<Raw>(row + j.first, j.count * static_cast<int>(sizeof(S))));
    else return from_raw<T, S>(load_vector<Raw>(row + j.first));
}

/// Loads one element, in arithmetic type T.
template <class T, class S>
KG_INLINE T load_one(const S* element_of_row) {
    if constexpr (is_short_float<S>) return static_cast<T>(static_cast<float>(*element_of_row));
    else return static_cast<T>(*element_of_row);
}

/// Stores columns j of a row; with `stream` by non-temporal stores (then call `end_of_stores` at the end of the tile
/// program).
template <bool stream = false, class S, class J, class V>
KG_INLINE void store(S* row, J j, V value) {
    using T = typename J::T;
    const auto values = to_raw<S, T>(wide<T>(value));
    if constexpr (is_partial<J>) store_bytes(row + j.first, values, j.count * static_cast<int>(sizeof(S)));
    else if constexpr (stream) stream_bytes(row + j.first, values);
    else store_vector(row + j.first, values);
}

/// Makes non-temporal stores visible before this tile program is reported as done.
template <bool stream>
KG_INLINE void end_of_stores() {
#if defined(__x86_64__)
    if constexpr (stream) _mm_sfence();
#endif
}

/// Prefetches the cache line `lines` lines after columns j; does nothing where `lines` is 0. Never faults.
template <int lines, class S, class J>
KG_INLINE void prefetch(const S* row, J j) {
    if constexpr (lines > 0) __builtin_prefetch(reinterpret_cast<const char*>(row + j.first) + lines * 64);
}

/// Prefetches columns j of the row that is `rows` rows after the row of `columns`, so that memory is not idle while a
/// pass computes on data in the caches.
template <int rows, class S, class J>
KG_INLINE void prefetch_row(const S* row, int64_t columns, J j) {
    if constexpr (rows > 0) __builtin_prefetch(row + rows * columns + j.first);
}

}  // namespace kg
