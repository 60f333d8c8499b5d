// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace kernelgen {

/// Python's `value in collection` in the words of the integer language, in parentheses. `value` is an expression of the
/// integer language; `collection` is Python's: a tuple of integers and parameters, or what `python_integers` reads.
/// Errors: a collection of another kind, one whose text would be too long.
Result<std::string> membership(const std::string& value, std::string_view collection);

}  // namespace kernelgen
