// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/lang/body.h"

namespace kernelgen {

/// The options of a convolution; its groups follow from the tensors.
struct LibraryWindow {
    bool is_channels_last = false;
    std::int64_t stride = 1, padding = 0, dilation = 1;

    bool operator==(const LibraryWindow&) const = default;
};

/// A product of matrices or a convolution that a library computes in one call, with what it can fuse: the first input
/// by the second, plus a bias for each column or kernel that is the third, and a function of the sum. Its name as a
/// primitive is "matmul", then "_tn" where the left operand is transposed ("_nt" the right one, "_tt" both), or
/// "conv2d_s1_p0_d1", "conv2d_nhwc_s1_p0_d1"; then "+bias" and "+eltwise_…".
struct LibraryProduct {
    bool is_left_transposed = false, is_right_transposed = false;
    std::optional<LibraryWindow> window = {};  ///< of a convolution
    bool has_bias = false;
    std::string activation;  ///< an `eltwise_…` primitive; "" for none

    bool operator==(const LibraryProduct&) const = default;
};

std::string to_string(const LibraryProduct& product);
std::optional<LibraryProduct> parse_library_product(std::string_view name);  ///< nothing where it is none

/// The product that computes exactly this operator; nothing where a library has none.
std::optional<LibraryProduct> library_product(const Operator& definition, const Body& lowered);

}  // namespace kernelgen
