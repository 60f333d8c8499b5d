// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// A product of dimensions as an expression: "1", "P", "B * H".
std::string product_text(const std::vector<std::string>& dimensions);

/// The row of `tensor` that row `i` of the space reads or writes, as a C++ expression: "i", "i % S",
/// "i / (H * S) * S + i % S"; "0" where the tensor has no rows. As `row_map`, but in symbols. `dimensions` are the
/// tensor's and `space` the space's, as they are spelt in the source.
std::string row_index_text(const std::vector<std::string>& dimensions, const std::vector<std::string>& space);

}  // namespace kernelgen
