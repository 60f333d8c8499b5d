// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kernelgen {

/// Where a Python process was when a signal ended it, as "FILE:LINE, in FUNCTION": the innermost line of a file that is
/// neither KernelGen's nor installed. Empty where `printed`, what the process printed, does not tell it. It is told by
/// Python's faulthandler, behind "Fatal Python error:": lines `  File "PATH", line N in FUNCTION`, the innermost first.
std::string crash_place(std::string_view printed);

}  // namespace kernelgen
