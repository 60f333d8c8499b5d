// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace kernelgen {

/// A condition in Python's words for the integer language, whose comparisons are left-associative: `1 < a < 8` becomes
/// `(1 < a and a < 8)`. Words that the integer language does not have stay as they are: its parser reports them.
/// Errors: the text grows too long, or has a character that neither language has.
Result<std::string> in_integer_language(std::string_view python);

}  // namespace kernelgen
