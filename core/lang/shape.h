// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"

namespace kernelgen {

/// Dimensions as symbols or numbers, outermost first.
using Shape = std::vector<std::string>;

std::string to_string(const Shape& shape);  ///< "[P, D]"

/// The shape to which `a` and `b` broadcast by NumPy's rules: aligned at the last axis, dimensions have equal text or
/// one is 1. Nothing where they do not broadcast; `problem` then says which dimension differs.
std::optional<Shape> broadcast(const Shape& a, const Shape& b, Said& problem);

}  // namespace kernelgen
