// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kernelgen {

/// Element types. f8e4m3 is the OCP "E4M3FN" (no infinities), f8e5m2 the OCP E5M2.
enum class DType { f64, f32, f16, bf16, f8e4m3, f8e5m2, i32, i8 };

inline constexpr DType all_dtypes[] = {DType::f64,    DType::f32,    DType::f16, DType::bf16,
                                       DType::f8e4m3, DType::f8e5m2, DType::i32, DType::i8};

std::string_view to_string(DType dtype);
std::optional<DType> parse_dtype(std::string_view name);

std::size_t size_of(DType dtype);  ///< bytes an element
bool is_integer(DType dtype);
bool is_float_of_8_bits(DType dtype);

/// The precision in which bodies are computed: f64 for f64, i32 and i8; f32 for the rest.
DType default_arithmetic(DType dtype);

/// Half a unit in the last place, relative: 2^-53, 2^-24, 2^-11, 2^-8, 2^-4, 2^-3; 0 for integers.
double half_ulp(DType dtype);
double smallest_normal(DType dtype);
double largest_finite(DType dtype);
double lowest_finite(DType dtype);

/// Reads `values.size()` elements of `dtype` at `source`; every element is exact in double.
void decode(DType dtype, const void* source, std::span<double> values);
void decode(DType dtype, const void* source, std::span<float> values);  ///< f64 and i32 are rounded

/// Rounds to nearest even into `dtype`. NaN stays NaN; values that overflow become infinite (f8e4m3: NaN). Integers
/// saturate, and NaN becomes 0.
void encode(DType dtype, std::span<const double> values, void* destination);

/// `value` rounded to `dtype`.
double round_to(DType dtype, double value);

}  // namespace kernelgen
