// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/lang/body.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The text of NAME_baseline.py: a call of PyTorch's own function where it has the operator, else the body in PyTorch's
/// operations. `lowered` is the result of `lower`; `eager` are the 16-bit dtypes in which the operations are not
/// converted to float32.
std::string torch_source(const Operator& definition, const Body& lowered, const std::vector<DType>& eager);

/// Whether a text of this kind says that, for accuracy, it computes in float32 where the case has `dtype`.
bool converts_first(const Implementation& implementation, DType dtype);

}  // namespace kernelgen
