// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/operator.h"

namespace kernelgen {

/// Python's constants as the integer language has them: True is 1, False is 0.
const Sizes& python_constants();

/// The integers of a list in Python's words, as the `Values` of T1 files have it: "[1, 2 * 3]", "(True, False)",
/// "range(3, 35, 2)", "list(range(32))", "[2**i for i in range(5) if i != 1]", and such lists joined by `+`. In its
/// order, with repetitions. Errors: what is no integer, a step of 0, more than 65,536 values.
Result<std::vector<std::int64_t>> python_integers(std::string_view text);

}  // namespace kernelgen
