// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/lang/operator.h"

namespace kernelgen::tests {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// "x:P,D" as a tensor; "s:" is a scalar.
Tensor tensor(const std::string& text);

Operator make_operator(const std::string& name, const std::string& body, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs = {"out:P,D"},
                       const std::vector<Attribute>& attributes = {});

}  // namespace kernelgen::tests
