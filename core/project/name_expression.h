// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/said.h"

namespace kernelgen {

/// The entry of a `cuda` launch may be a name expression: a function in a namespace or an instance of a template, such
/// as `mine::softmax<float, BLOCK_N>`, where BLOCK_N may be a tunable.

/// Whether an entry is more than a function's name.
bool is_name_expression(std::string_view entry);

/// Why `entry` cannot be a name expression ("is a keyword of C++"); nothing where it can. What its template's arguments
/// mean is the compiler's to say.
std::optional<Said> name_expression_problem(std::string_view entry);

/// The function's own name: "softmax" of `mine::softmax<float, BLOCK_N>`.
std::string_view function_of(std::string_view entry);

}  // namespace kernelgen
