// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "core/explain/explanation.h"

namespace kernelgen::cli {

/// Everything of an explanation: causes with their evidence and the source's lines, which sizes fail, and a map of each
/// wrong output in characters.
void print_explanation(std::ostream& out, const Explanation& explanation);

/// The likeliest causes, a line each.
void print_causes_in_short(std::ostream& out, const Explanation& explanation);

/// A map in characters, at most 64 wide and 24 high: `#` all wrong, `+` some, `.` none; `?` where nothing was written.
void print_map(std::ostream& out, const ErrorMap& map);

}  // namespace kernelgen::cli
