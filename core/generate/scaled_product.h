// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/lang/contraction.h"
#include "core/lang/operator.h"

namespace kernelgen {

/// A product of 8-bit operands whose whole epilogue is scales in f32, and perhaps a bias that is added.
struct ScaledProduct {
    std::optional<int> rows, columns;  ///< inputs [M, 1] and [N]: both or none
    std::vector<int> scalars;          ///< inputs of one element, at most two, where rows and columns have no scales
    std::optional<int> bias;           ///< an input [N] of the case's dtype, as the output is
};

/// What cuBLAS and PyTorch compute in one call; nothing where the body is something else.
std::optional<ScaledProduct> scaled_product(const Operator& definition, const Body& lowered);

}  // namespace kernelgen
