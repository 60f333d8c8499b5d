// SPDX-License-Identifier: Apache-2.0
#include "core/verify/tolerance.h"

#include <algorithm>

namespace kernelgen {

Tolerance default_tolerance(DType dtype) {
    switch (dtype) {
        case DType::f64: return {1e-12, 1e-13};
        case DType::f32: return {1.3e-6, 1e-5};
        case DType::f16: return {1e-3, 1e-3};
        case DType::bf16: return {1.6e-2, 1e-2};
        case DType::f8e4m3: return {0.125, 0.06};
        case DType::f8e5m2: return {0.25, 0.125};
        case DType::i32:
        case DType::i8: return {0, 0};
    }
    return {0, 0};
}

std::optional<Tolerance> own_tolerance(const Accuracy& accuracy, DType dtype) {
    if (is_integer(dtype)) return std::nullopt;
    if (const auto named = accuracy.named.find(dtype); named != accuracy.named.end()) return named->second;
    return dtype == DType::f32 ? accuracy.f32 : std::nullopt;
}

Tolerance tolerance_for(const Accuracy& accuracy, DType dtype) {
    Tolerance tolerance = own_tolerance(accuracy, dtype).value_or(default_tolerance(dtype));
    tolerance.rtol = std::max(tolerance.rtol, half_ulp(dtype));
    return tolerance;
}

double absolute_floor(DType dtype) {
    const bool of_arithmetic = dtype == DType::f64 || dtype == DType::f32 || dtype == DType::bf16;
    return of_arithmetic ? smallest_normal(dtype) : smallest_normal(dtype) * 2 * half_ulp(dtype);
}

}  // namespace kernelgen
