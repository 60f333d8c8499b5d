// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lang/contraction.h"

namespace kernelgen {

/// A dimension that is an expression of the operator's, and the name that a kernel gives it.
struct NamedSize {
    std::string text;  ///< as it stands in shapes: "(OH * OW)"
    std::string wish;
};

/// A lowered body with a convolution as one with a product of matrices (implicit GEMM): kernels [O, K] by patches
/// [N, K, pixels] where the channels come first, patches [N · pixels, K] by transposed kernels where they come last.
/// Groups are a batch. The images, of which the patches are read, keep their shape.
struct ConvolutionView {
    Operator definition;  ///< with the outputs' shapes
    Body body;
    std::vector<NamedSize> sizes;
};

/// Whether a body with a convolution is such a view.
bool is_matrix_view(const Body& body);

/// Nothing for depthwise convolutions, for groups where the channels come last, and where the epilogue or the kernels'
/// prologue reads an input that differs along one of the axes that become one.
std::optional<ConvolutionView> matrix_view(const Operator& definition, const Body& lowered);

}  // namespace kernelgen
