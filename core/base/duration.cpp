// SPDX-License-Identifier: Apache-2.0
#include "core/base/duration.h"

#include <cmath>

#include "core/base/text.h"

namespace kernelgen {

std::optional<double> parse_duration(std::string_view text) {
    text = trim(text);
    double unit = 1, value = 0;
    if (text.ends_with('m')) unit = 60;
    if (text.ends_with('h')) unit = 3600;
    if (unit != 1 || text.ends_with('s')) text.remove_suffix(1);
    if (!parse_number(text, value)) return std::nullopt;
    if (!(std::abs(value * unit) <= longest_duration)) return std::nullopt;
    return value * unit;
}

}  // namespace kernelgen
