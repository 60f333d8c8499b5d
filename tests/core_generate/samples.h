// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/lang/operator.h"

namespace kernelgen::tests {

/// "x:P,D" as a tensor; "s:" is a scalar.
Tensor tensor(const std::string& text);

Operator make_operator(const std::string& name, const std::string& body, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs = {"out:P,D"},
                       const std::vector<Attribute>& attributes = {});

}  // namespace kernelgen::tests
