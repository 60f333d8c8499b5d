// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace kernelgen {

/// The text of the `@triton.jit` functions with these names, and of the functions that they call: functions that Triton
/// does not have, or not with NaN, or not accurately enough. They are plain formulas, which Triton's interpreter
/// supports too.
std::string triton_functions(const std::set<std::string>& names);

}  // namespace kernelgen
