// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace kernelgen {

inline constexpr double longest_duration = 366.0 * 24 * 3600;  ///< in seconds

/// Parses "90", "1.5s", "5m" or "2h" into seconds; a plain number is seconds. Nothing where the text is no duration, or
/// more than a year.
std::optional<double> parse_duration(std::string_view text);

}  // namespace kernelgen
