// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/lang/body.h"

namespace kernelgen {

/// The name of an operator that libraries have, as oneDNN calls it ("softmax", "eltwise_relu", "rms_normalization").
std::optional<std::string> known_operator(const Operator& definition, const Body& lowered);

/// The function of one value ("eltwise_relu") by which the body's only output is computed from node `x`; nothing where
/// libraries have none.
std::optional<std::string> function_of_node(const Body& lowered, int x);

}  // namespace kernelgen
