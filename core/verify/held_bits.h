// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/lang/operator.h"

namespace kernelgen {

/// The integer whose parts these are, as the judge holds them: signed. Exact up to 2^53.
double whole_value(const HeldBits& bits, std::span<const double> parts);

/// The extents of a tensor, or an index into it, without the axis of parts.
std::vector<std::int64_t> without_parts(const HeldBits& bits, std::vector<std::int64_t> extents);

}  // namespace kernelgen
