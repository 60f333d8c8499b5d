// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/lang/body.h"

namespace kernelgen {

/// The text of NAME_baseline.py: PyTorch's own function where it has the operator, else the body in its operations.
/// `lowered` is the body as `lower` makes it.
std::string torch_source(const Operator& definition, const Body& lowered);

}  // namespace kernelgen
