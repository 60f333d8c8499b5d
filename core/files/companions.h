// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// The tests that stand beside a generated triton variant: NAME_accuracy.py and NAME_performance.py, their hashes
/// empty.
std::vector<Companion> companions_for(const Operator& definition);

/// The text of a triton variant's test of kind "accuracy" or "performance": a Python program that compares the
/// variant's function with that of the project's PyTorch file, by the project's cases, tolerances and target.
std::string companion_source(const Project& project, const Variant& triton, std::string_view kind);

}  // namespace kernelgen
