// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace kernelgen {

/// The seconds of "90", "1.5s", "5m" or "2h"; a plain number is seconds. Nothing where the text is no time.
std::optional<double> parse_duration(std::string_view text);

}  // namespace kernelgen
