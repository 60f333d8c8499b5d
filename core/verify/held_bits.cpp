// SPDX-License-Identifier: Apache-2.0
#include "core/verify/held_bits.h"

#include <cmath>

namespace kernelgen {

double whole_value(const HeldBits& bits, std::span<const double> parts) {
    if (bits.dtype.empty()) return parts.front();
    const double range = std::ldexp(1.0, bits.dtype == "int64" ? 32 : 8);  // of a part: an i32 or an i8
    const bool is_signed = !bits.dtype.starts_with("u");
    double value = 0;
    for (std::size_t i = parts.size(); i-- > 0;) {
        const bool has_sign = is_signed && i + 1 == parts.size();
        value = value * range + (parts[i] < 0 && !has_sign ? parts[i] + range : parts[i]);
    }
    return value;
}

std::vector<std::int64_t> without_parts(const HeldBits& bits, std::vector<std::int64_t> extents) {
    if (bits.parts > 1) extents.pop_back();
    return extents;
}

}  // namespace kernelgen
