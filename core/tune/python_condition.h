// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace kernelgen {

/// A condition in Python's words for the integer language, which has no comparisons in a row: `1 < a < 8` becomes
/// `(1 < a and a < 8)`, `a in (1, 2)` becomes `((a) == (1) or (a) == (2))`, and `lambda p: p["a"] > 1` becomes `a > 1`.
/// Words that the integer language does not have stay as they are: its parser reports them. Errors: the text grows too
/// long, has a character that neither language has, or `in` before what is no collection of integers.
Result<std::string> in_integer_language(std::string_view python);

}  // namespace kernelgen
