// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/lang/operator.h"

namespace kernelgen {

/// The symbols that are in no input's shape and do not follow from those, in order. A Python function, which allocates
/// the outputs itself, gets these sizes as keyword arguments.
std::vector<std::string> free_symbols(const Operator& definition);

}  // namespace kernelgen
