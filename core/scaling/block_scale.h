// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/tensor/dtype.h"

namespace kernelgen {

inline constexpr DType fp8_formats[] = {DType::f8e4m3, DType::f8e5m2};

/// The scale with which numbers up to `amax` fit in a format: x is stored as x / scale. It is a float32, rounded
/// upwards so that amax / scale never exceeds the format's largest number. 1 for an amax of 0, where any scale is
/// right.
double scale_for(double amax, DType format);

/// What storing did to some numbers.
struct StoredCounts {
    std::int64_t clipped = 0;  ///< |x / scale| above the format's largest number
    std::int64_t flushed = 0;  ///< not 0, and stored as 0
};

/// Stores each number as x / scale in `format`, rounded to the nearest, ties to even, and saturated as converters of
/// GPUs do; and reads it again. `stored` is as long as `values`.
StoredCounts store_and_read(std::span<const double> values, double scale, DType format, std::span<double> stored);

}  // namespace kernelgen
