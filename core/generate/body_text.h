// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// The statements of a body, one on each line.
std::vector<std::string> body_statements(const Operator& definition);

/// An integer expression with other names, and another operator for division.
std::string with_names(const std::string& expression, const std::function<std::string(const std::string&)>& name,
                       const std::string& division = "/");

/// The name of a value to which the body gives no name.
std::string name_of_unlabelled(Op op);

/// For each node whether a kernel computes it on a line of its own: values that are used twice, that the body names,
/// or that are the same for all columns and used for each.
std::vector<bool> named_values(const Body& body);

}  // namespace kernelgen
