// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/lang/operator.h"

namespace kernelgen {

/// Symbols that no input has, in order: a function that makes the outputs itself is told these sizes, by name.
std::vector<std::string> free_symbols(const Operator& definition);

}  // namespace kernelgen
