// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/lang/body.h"

namespace kernelgen {

/// A product of matrices that a library computes in one call, with what it can fuse: the first input by the second,
/// plus a row that is the third, and a function of the sum. Its name as a primitive is "matmul", then "_tn" where the
/// left operand is transposed ("_nt" the right one, "_tt" both), "+bias" and "+eltwise_…".
struct LibraryProduct {
    bool is_left_transposed = false, is_right_transposed = false;
    bool has_bias = false;
    std::string activation;  ///< an `eltwise_…` primitive; "" for none

    bool operator==(const LibraryProduct&) const = default;
};

std::string to_string(const LibraryProduct& product);
std::optional<LibraryProduct> parse_library_product(std::string_view name);  ///< nothing where it is none

/// The product that computes exactly this operator; nothing where a library has none.
std::optional<LibraryProduct> library_product(const Operator& definition, const Body& lowered);

}  // namespace kernelgen
