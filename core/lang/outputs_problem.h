// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/lang/operator.h"

namespace kernelgen {

/// Reports an operator without outputs, unless a Python file is its definition and tells them.
inline std::optional<Diagnostic> outputs_problem(const Operator& definition) {
    if (has_file(definition.family) || !definition.outputs.empty()) return std::nullopt;
    return Diagnostic{"", "outputs", "an operator needs at least one output", "add an output"};
}

}  // namespace kernelgen
