// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// A function or operator of bodies.
struct Operation {
    std::string_view name;
    Op op;
    int least_operands;
    int most_operands;  ///< min and max take several operands and are applied to two at a time
};

/// The function that a body calls by this name, or null.
const Operation* find_function(std::string_view name);

/// The operation that an operator symbol ("+", "<=", "not", "neg", "?") stands for, or null.
const Operation* find_operator(std::string_view symbol);

/// Names that a definition may not use for symbols, tensors or attributes: functions, `and or not`, `pi inf nan`.
std::vector<std::string> reserved_names();

}  // namespace kernelgen
