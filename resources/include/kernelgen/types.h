// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// Always inlined, because a vector that crosses a call is spilled to memory.
#define KG_INLINE inline __attribute__((always_inline))

namespace kg {

/// `value`'s bits as another type of the same size, for scalars and vectors.
template <class To, class From>
KG_INLINE To bits_as(From value) {
    return __builtin_bit_cast(To, value);
}

/// The float type (scalar or vector) that belongs to a 32-bit unsigned integer type, and the conversion of a value to
/// it.
template <class U>
struct Beside32 {
    static constexpr int lanes = sizeof(U) / 4;
    typedef float Float __attribute__((vector_size(sizeof(U))));
    static KG_INLINE Float to_float(U value) { return __builtin_convertvector(value, Float); }
};
template <>
struct Beside32<uint32_t> {
    typedef float Float;
    static KG_INLINE float to_float(uint32_t value) { return static_cast<float>(value); }
};

/// A floating-point format shorter than 32 bits: a sign, an exponent, and `mantissa` bits. Codes and float bits are
/// uint32_t or vectors of it. E4M3 has no infinities: its largest code is NaN, and values that overflow become NaN.
template <int width, int mantissa, bool has_infinities>
struct ShortFloat {
    static constexpr uint32_t bias = (1u << (width - 2 - mantissa)) - 1;
    static constexpr uint32_t sign_bit = 1u << (width - 1);
    static constexpr uint32_t infinity = has_infinities ? sign_bit - (1u << mantissa) : sign_bit - 1;
    static constexpr float smallest = 1.0f / static_cast<float>(1ull << (bias + mantissa - 1));

    template <class U>
    static KG_INLINE U to_float_bits(U code) {
        constexpr int shift = 23 - mantissa;
        const U magnitude = code & (sign_bit - 1);
        const U normal = (magnitude << shift) + ((127 - bias) << 23);
        const U subnormal = bits_as<U>(Beside32<U>::to_float(magnitude) * smallest);
        const U special = has_infinities ? (magnitude << shift) | 0x7f800000u : magnitude | 0x7fc00000u;
        const U finite = magnitude < (1u << mantissa) ? subnormal : normal;
        return (magnitude >= infinity ? special : finite) | ((code & sign_bit) << (32 - width));
    }

    /// Rounds to nearest even.
    template <class U>
    static KG_INLINE U from_float_bits(U bits) {
        constexpr int shift = 23 - mantissa;
        const U magnitude = bits & 0x7fffffffu;
        const U rounded = (magnitude + ((1u << (shift - 1)) - 1) + ((magnitude >> shift) & 1)) >> shift;
        // Adding 2^23 units of the smallest subnormal rounds to a whole number of them.
        const auto aligner = smallest * 8388608.0f;
        const U subnormal =
            bits_as<U>(bits_as<typename Beside32<U>::Float>(magnitude) + aligner) - bits_as<uint32_t>(aligner);
        const U code = magnitude < ((128 - bias) << 23) ? subnormal : rounded - ((127 - bias) << mantissa);
        const U finite = code > infinity ? U{} + infinity : code;
        return (magnitude > 0x7f800000u ? U{} + (sign_bit - 1) : finite) | ((bits >> (32 - width)) & sign_bit);
    }
};

/// The upper half of a float.
struct UpperHalf {
    template <class U>
    static KG_INLINE U to_float_bits(U code) {
        return code << 16;
    }
    template <class U>
    static KG_INLINE U from_float_bits(U bits) {
        const U rounded = (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
        return (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40u : rounded;
    }
};

/// A scalar in its storage format: converts to and from float.
template <class Bits, class Format_>
struct Stored {
    using Format = Format_;
    Bits bits;

    Stored() = default;
    Stored(float value) : bits(static_cast<Bits>(Format::from_float_bits(bits_as<uint32_t>(value)))) {}
    operator float() const { return bits_as<float>(Format::to_float_bits(static_cast<uint32_t>(bits))); }
};

using HalfFormat = ShortFloat<16, 10, true>;

}  // namespace kg

typedef _Float16 kg_f16;
using kg_bf16 = kg::Stored<uint16_t, kg::UpperHalf>;
using kg_f8e4m3 = kg::Stored<uint8_t, kg::ShortFloat<8, 3, false>>;
using kg_f8e5m2 = kg::Stored<uint8_t, kg::ShortFloat<8, 2, true>>;

namespace kg {

/// The arithmetic type for elements of S: float, or double for double and the integers.
template <class S>
struct Arithmetic {
    using Type = float;
};
template <>
struct Arithmetic<double> {
    using Type = double;
};
template <>
struct Arithmetic<int32_t> {
    using Type = double;
};
template <>
struct Arithmetic<int8_t> {
    using Type = double;
};
template <class S>
using arithmetic = typename Arithmetic<S>::Type;

/// The same for 8-bit integers where float represents every computed value exactly.
template <class S>
struct NarrowArithmetic : Arithmetic<S> {};
template <>
struct NarrowArithmetic<int8_t> {
    using Type = float;
};
template <class S>
using narrow_arithmetic = typename NarrowArithmetic<S>::Type;

/// `value` as a storage type represents it: rounded to nearest even; integers saturate, and NaN becomes 0.
template <class S, class T>
KG_INLINE S to_storage(T value) {
    if constexpr (__is_same(S, int32_t) || __is_same(S, int8_t)) {
        constexpr T lowest = static_cast<T>(__is_same(S, int8_t) ? -128.0 : -2147483648.0);
        constexpr T highest = static_cast<T>(__is_same(S, int8_t) ? 127.0 : 2147483647.0);
        if (value != value) return 0;
        if (value >= highest) return static_cast<S>(__is_same(S, int8_t) ? 127 : 2147483647);
        return static_cast<S>(value <= lowest ? lowest : static_cast<T>(__builtin_rint(value)));
    } else if constexpr (__is_same(S, double) || __is_same(S, kg_f16)) {
        return static_cast<S>(value);
    } else {
        return S(static_cast<float>(value));
    }
}

}  // namespace kg
