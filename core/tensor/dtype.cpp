// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/dtype.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace kernelgen {
namespace {

struct Format {
    std::string_view name;
    std::size_t size;
    int precision;       ///< significant bits, the hidden one included; 0 for integers
    int least_exponent;  ///< of the smallest normal
    double largest;
};

const Format& format_of(DType dtype) {
    static const Format formats[] = {
        {"f64", 8, 53, -1022, std::numeric_limits<double>::max()},
        {"f32", 4, 24, -126, std::numeric_limits<float>::max()},
        {"f16", 2, 11, -14, 65504.0},
        {"bf16", 2, 8, -126, 0x1.fep127},
        {"f8e4m3", 1, 4, -6, 448.0},
        {"f8e5m2", 1, 3, -14, 57344.0},
        {"i32", 4, 0, 0, 2147483647.0},
        {"i8", 1, 0, 0, 127.0},
    };
    return formats[static_cast<int>(dtype)];
}

std::uint16_t bf16_bits(double value) {
    if (std::isnan(value)) return std::signbit(value) ? 0xffc0 : 0x7fc0;
    // Round to odd in f32, then to nearest even: together one correct rounding.
    const float nearest = static_cast<float>(value);
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (static_cast<double>(nearest) != value) {
        if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
        bits |= 1;
    }
    if (std::isinf(value)) return static_cast<std::uint16_t>(bits >> 16);
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// The bits of an f8 format; `mantissa` of them after the hidden one.
std::uint8_t f8_bits(DType dtype, double value) {
    const bool e5m2 = dtype == DType::f8e5m2;
    const int mantissa = e5m2 ? 2 : 3;
    const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
    if (std::isnan(value)) return sign | 0x7f;
    const double rounded = std::abs(round_to(dtype, value));
    if (!std::isfinite(rounded)) return sign | (e5m2 ? 0x7c : 0x7f);
    if (rounded == 0) return sign;
    const int least = format_of(dtype).least_exponent;
    const int exponent = std::max(std::ilogb(rounded), least);
    const auto units = static_cast<int>(std::ldexp(rounded, mantissa - exponent));  // hidden bit included when normal
    return static_cast<std::uint8_t>(sign | (((exponent - least) << mantissa) + units));
}

double f8_value(DType dtype, std::uint8_t bits) {
    const bool e5m2 = dtype == DType::f8e5m2;
    const int mantissa = e5m2 ? 2 : 3;
    const double sign = bits & 0x80 ? -1.0 : 1.0;
    const int magnitude = bits & 0x7f;
    if (e5m2 ? magnitude > 0x7c : magnitude == 0x7f) return std::copysign(std::nan(""), sign);
    if (e5m2 && magnitude == 0x7c) return sign * std::numeric_limits<double>::infinity();
    const int exponent = magnitude >> mantissa;
    const int fraction = magnitude & ((1 << mantissa) - 1);
    const int hidden = exponent ? 1 << mantissa : 0;
    return sign * std::ldexp(hidden + fraction, format_of(dtype).least_exponent + std::max(exponent, 1) - 1 - mantissa);
}

template <class Stored, class T>
void copy_out(const void* source, std::span<T> values) {
    const auto* bytes = static_cast<const unsigned char*>(source);
    for (std::size_t i = 0; i < values.size(); ++i) {
        Stored stored;
        std::memcpy(&stored, bytes + i * sizeof(Stored), sizeof(Stored));
        values[i] = static_cast<T>(stored);
    }
}

template <class T>
void decode_any(DType dtype, const void* source, std::span<T> values) {
    const auto* bytes = static_cast<const unsigned char*>(source);
    switch (dtype) {
        case DType::f64: return copy_out<double>(source, values);
        case DType::f32: return copy_out<float>(source, values);
        case DType::f16: return copy_out<_Float16>(source, values);
        case DType::i32: return copy_out<std::int32_t>(source, values);
        case DType::i8: return copy_out<std::int8_t>(source, values);
        case DType::bf16:
            for (std::size_t i = 0; i < values.size(); ++i) {
                std::uint16_t bits;
                std::memcpy(&bits, bytes + i * 2, 2);
                values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
            }
            return;
        case DType::f8e4m3:
        case DType::f8e5m2:
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(f8_value(dtype, bytes[i]));
            return;
    }
}

double to_integer(double value, double least, double most) {
    if (std::isnan(value)) return 0;
    return std::clamp(std::nearbyint(value), least, most) + 0.0;  // an integer has no negative zero
}

template <class Stored, class Convert>
void copy_in(std::span<const double> values, void* destination, Convert convert) {
    auto* bytes = static_cast<unsigned char*>(destination);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Stored stored = convert(values[i]);
        std::memcpy(bytes + i * sizeof(Stored), &stored, sizeof(Stored));
    }
}

}  // namespace

std::string_view to_string(DType dtype) { return format_of(dtype).name; }

std::optional<DType> parse_dtype(std::string_view name) {
    for (const DType dtype : all_dtypes) {
        if (to_string(dtype) == name) return dtype;
    }
    return std::nullopt;
}

std::size_t size_of(DType dtype) { return format_of(dtype).size; }
bool is_float_of_8_bits(DType dtype) { return dtype == DType::f8e4m3 || dtype == DType::f8e5m2; }
bool is_integer(DType dtype) { return dtype == DType::i32 || dtype == DType::i8; }
DType default_arithmetic(DType dtype) { return dtype == DType::f64 || is_integer(dtype) ? DType::f64 : DType::f32; }
double half_ulp(DType dtype) { return is_integer(dtype) ? 0 : std::ldexp(1.0, -format_of(dtype).precision); }
double smallest_normal(DType dtype) {
    return is_integer(dtype) ? 1.0 : std::ldexp(1.0, format_of(dtype).least_exponent);
}
double largest_finite(DType dtype) { return format_of(dtype).largest; }

double lowest_finite(DType dtype) { return is_integer(dtype) ? -largest_finite(dtype) - 1 : -largest_finite(dtype); }

void decode(DType dtype, const void* source, std::span<double> values) { decode_any(dtype, source, values); }
void decode(DType dtype, const void* source, std::span<float> values) { decode_any(dtype, source, values); }

void encode(DType dtype, std::span<const double> values, void* destination) {
    switch (dtype) {
        case DType::f64: return copy_in<double>(values, destination, [](double v) { return v; });
        case DType::f32: return copy_in<float>(values, destination, [](double v) { return static_cast<float>(v); });
        case DType::f16:
            return copy_in<_Float16>(values, destination, [](double v) { return static_cast<_Float16>(v); });
        case DType::bf16: return copy_in<std::uint16_t>(values, destination, bf16_bits);
        case DType::f8e4m3:
        case DType::f8e5m2:
            return copy_in<std::uint8_t>(values, destination, [&](double v) { return f8_bits(dtype, v); });
        case DType::i32:
            return copy_in<std::int32_t>(values, destination, [](double v) {
                return static_cast<std::int32_t>(to_integer(v, -2147483648.0, 2147483647.0));
            });
        case DType::i8:
            return copy_in<std::int8_t>(values, destination,
                                        [](double v) { return static_cast<std::int8_t>(to_integer(v, -128, 127)); });
    }
}

double round_to(DType dtype, double value) {
    if (dtype == DType::f64) return value;
    if (dtype == DType::f32) return static_cast<float>(value);
    if (dtype == DType::f16) return static_cast<double>(static_cast<_Float16>(value));
    if (dtype == DType::bf16) return std::bit_cast<float>(static_cast<std::uint32_t>(bf16_bits(value)) << 16);
    if (dtype == DType::i32) return to_integer(value, -2147483648.0, 2147483647.0);
    if (dtype == DType::i8) return to_integer(value, -128, 127);
    if (value == 0 || !std::isfinite(value)) {
        return std::isinf(value) && dtype == DType::f8e4m3 ? std::copysign(std::nan(""), value) : value;
    }
    const Format& format = format_of(dtype);
    const int exponent = std::max(std::ilogb(value), format.least_exponent) - format.precision + 1;
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
    if (std::abs(rounded) <= format.largest) return rounded;
    const double overflow = dtype == DType::f8e4m3 ? std::nan("") : std::numeric_limits<double>::infinity();
    return std::copysign(overflow, value);
}

}  // namespace kernelgen
