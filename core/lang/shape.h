// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kernelgen {

/// Dimensions as symbols or numbers, outermost first.
using Shape = std::vector<std::string>;

std::string to_string(const Shape& shape);  ///< "[P, D]"

/// The shape that both broadcast to by NumPy's rules (equal text or 1, aligned at the last axis), or nothing; then
/// `problem` says which dimension differs.
std::optional<Shape> broadcast(const Shape& a, const Shape& b, std::string& problem);

}  // namespace kernelgen
