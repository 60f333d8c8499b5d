// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// A product of dimensions as an expression: "1", "P", "B * H".
std::string product_text(const std::vector<std::string>& dimensions);

/// A C++ expression for the row of `tensor` that row `i` of the space reads or writes: "i", "i % S", "i / (H * S) * S +
/// i % S"; "0" where the tensor has no rows. It is the symbolic form of `row_map`. `dimensions` and `space` are the
/// texts of the tensor's and the space's dimensions in the source.
std::string row_index_text(const std::vector<std::string>& dimensions, const std::vector<std::string>& space);

}  // namespace kernelgen
