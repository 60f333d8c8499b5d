// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/lang/body.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The text of NAME_baseline.py: PyTorch's own function where it has the operator, else the body in its operations.
/// `lowered` is the body as `lower` makes it; `eager` are the dtypes of 16 bits in which operations are not in float32.
std::string torch_source(const Operator& definition, const Body& lowered, const std::vector<DType>& eager);

/// Whether such a text says that it computes in float32 where the case has `dtype`, for the sake of accuracy.
bool converts_first(const Implementation& implementation, DType dtype);

}  // namespace kernelgen
