// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace kernelgen {

/// The `@triton.jit` functions of these names and those that they call, as they stand before a kernel: functions that
/// Triton has not, or not for NaN, or not accurate enough. Plain formulas, which Triton's interpreter has too.
std::string triton_functions(const std::set<std::string>& names);

}  // namespace kernelgen
