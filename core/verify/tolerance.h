// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/project/project.h"

namespace kernelgen {

/// The default pair for a dtype (docs/ACCURACY.md); {0, 0} for integers.
Tolerance default_tolerance(DType dtype);

/// The project's pair for outputs of `dtype`; nothing where it sets none, and for integers, which are always exact.
std::optional<Tolerance> own_tolerance(const Accuracy& accuracy, DType dtype);

/// The pair that is used for outputs of `dtype`: the project's, or else the default; rtol is never below half a unit in
/// the last place.
Tolerance tolerance_for(const Accuracy& accuracy, DType dtype);

/// The absolute error that a right kernel may have near 0. Where the arithmetic has the same exponents (f32, bf16, f64)
/// it may flush denormals: the smallest normal number. Else rounding between denormals: their distance.
double absolute_floor(DType dtype);

}  // namespace kernelgen
