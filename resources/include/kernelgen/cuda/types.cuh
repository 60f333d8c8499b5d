// SPDX-License-Identifier: Apache-2.0
// Storage types and the type that their elements are computed in.
#pragma once

namespace kg {

template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;

template <class P>
struct Pointee;
template <class A>
struct Pointee<A*> {
    using Type = A;
};
template <class P>
using pointee = typename Pointee<P>::Type;

/// `value`'s bits as another type of the same size.
template <class To, class From>
constexpr KG_DEVICE To bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, value);
}

/// A floating-point format of 8 bits: a sign, an exponent, and `mantissa` bits. E4M3 has no infinities: its largest
/// code is NaN, and values that overflow become NaN.
template <int mantissa, bool has_infinities>
struct ByteFloat {
    static constexpr uint32_t bias = (1u << (6 - mantissa)) - 1;
    static constexpr uint32_t infinity = has_infinities ? 0x80u - (1u << mantissa) : 0x7fu;
    static constexpr float smallest = 1.0f / static_cast<float>(1u << (bias + mantissa - 1));
    static constexpr int shift = 23 - mantissa;

    static KG_DEVICE float to_float(uint32_t code) {
        const uint32_t magnitude = code & 0x7fu;
        const uint32_t normal = (magnitude << shift) + ((127 - bias) << 23);
        const uint32_t subnormal = bits_as<uint32_t>(static_cast<float>(magnitude) * smallest);
        const uint32_t special = has_infinities ? (magnitude << shift) | 0x7f800000u : 0x7fc00000u;
        const uint32_t finite = magnitude < (1u << mantissa) ? subnormal : normal;
        return bits_as<float>((magnitude >= infinity ? special : finite) | ((code & 0x80u) << 24));
    }
    /// Rounds to nearest even.
    static KG_DEVICE uint32_t from_float(float value) {
        const uint32_t bits = bits_as<uint32_t>(value), magnitude = bits & 0x7fffffffu;
        const uint32_t rounded = (magnitude + ((1u << (shift - 1)) - 1) + ((magnitude >> shift) & 1)) >> shift;
        // Adding 2^23 units of the smallest subnormal rounds to a whole number of them.
        constexpr float aligner = smallest * 8388608.0f;
        const uint32_t subnormal = bits_as<uint32_t>(bits_as<float>(magnitude) + aligner) - bits_as<uint32_t>(aligner);
        const uint32_t code = magnitude < ((128 - bias) << 23) ? subnormal : rounded - ((127 - bias) << mantissa);
        const uint32_t finite = code > infinity ? infinity : code;
        return (magnitude > 0x7f800000u ? 0x7fu : finite) | ((bits >> 24) & 0x80u);
    }
};

struct HalfFloat {
    static KG_DEVICE float to_float(uint32_t code) { return float_of_half(static_cast<uint16_t>(code)); }
    static KG_DEVICE uint32_t from_float(float value) { return halves(value, 0) & 0xffffu; }
};

/// The upper half of a float.
struct UpperHalf {
    static KG_DEVICE float to_float(uint32_t code) { return bits_as<float>(code << 16); }
    static KG_DEVICE uint32_t from_float(float value) { return bfloats(value, 0) & 0xffffu; }
};

/// A scalar in its storage format: converts to and from float.
template <class Code, class Format_>
struct Stored {
    using Format = Format_;
    Code code;

    Stored() = default;
    KG_DEVICE Stored(float value) : code(static_cast<Code>(Format::from_float(value))) {}
    KG_DEVICE operator float() const { return Format::to_float(code); }
};

}  // namespace kg

using kg_f16 = kg::Stored<uint16_t, kg::HalfFloat>;
using kg_bf16 = kg::Stored<uint16_t, kg::UpperHalf>;
using kg_f8e4m3 = kg::Stored<uint8_t, kg::ByteFloat<3, false>>;
using kg_f8e5m2 = kg::Stored<uint8_t, kg::ByteFloat<2, true>>;

namespace kg {

/// The elements of the left and of the right operand of a product: `Pair` where both have 8 bits.
template <class Left, class Right>
struct Pair {};
template <class Elements>
struct ElementsOf {
    using Left = Elements;
    using Right = Elements;
};
template <class Left_, class Right_>
struct ElementsOf<Pair<Left_, Right_>> {
    using Left = Left_;
    using Right = Right_;
};

template <class S>
inline constexpr bool is_integer = is_same<S, int32_t> || is_same<S, int8_t>;

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
KG_DEVICE S to_storage(T value) {
    if constexpr (is_integer<S>) {
        constexpr double lowest = is_same<S, int8_t> ? -128.0 : -2147483648.0;
        constexpr double highest = is_same<S, int8_t> ? 127.0 : 2147483647.0;
        const double number = value;
        if (number != number) return 0;
        return static_cast<S>(rint(number <= lowest ? lowest : number >= highest ? highest : number));
    } else if constexpr (is_same<S, double>) {
        return static_cast<double>(value);
    } else {
        return S(static_cast<float>(value));
    }
}

/// The element as a number of the arithmetic type.
template <class T, class S>
KG_DEVICE T from_storage(S value) {
    if constexpr (is_integer<S> || is_same<S, double>) return static_cast<T>(value);
    else return static_cast<T>(static_cast<float>(value));
}
template <class T, class S>
KG_DEVICE T load_one(const S* place) {
    return from_storage<T>(*place);
}

}  // namespace kg
