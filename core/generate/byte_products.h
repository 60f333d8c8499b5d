// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/lang/contraction.h"
#include "core/lang/operator.h"

namespace kernelgen {

/// Whether both operands are tensors of 8-bit floating-point dtypes of their own that lie along the depth, and the
/// definition lets tensor cores add their products more coarsely than f32 (`accumulate`).
bool uses_tensor_cores_for_bytes(const Operator& definition, const Body& lowered);

/// Why a product of two tensors of 8-bit floating-point dtypes is not computed by tensor cores; nothing otherwise.
std::optional<std::string> why_bytes_are_plain(const Operator& definition, const Body& lowered);

}  // namespace kernelgen
