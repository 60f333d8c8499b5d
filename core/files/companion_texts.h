// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernelgen {

/// Python programs with placeholders: @NAME@ (the operator's), @FUNCTION@ (the triton file's), @BASELINE_FUNCTION@,
/// @TRITON@ and @BASELINE@ (modules), @ACCURACY@ (the accuracy file's module), @CASES@, @SMALL_CASES@, @INPUTS@,
/// @OUTPUTS@, @KEYWORDS@, @DTYPE_KEYWORD@, @TOLERANCES@, @TARGET@, @SECONDS@, @PERFORMANCE@ (the performance file's
/// module), @DEVICE_CHOICE@ (the lines of core/generate/device_choice.h).
extern const std::string_view accuracy_text;
extern const std::string_view performance_text;

}  // namespace kernelgen
