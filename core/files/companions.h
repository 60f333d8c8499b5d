// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// The companions of a generated triton variant: NAME_accuracy.py and NAME_performance.py, with empty hashes.
std::vector<Companion> companions_for(const Operator& definition);

/// The text of a triton variant's test of kind "accuracy" or "performance": a Python program that compares the
/// variant's function with the function of the project's PyTorch file, with the project's cases, tolerances and target.
std::string companion_source(const Project& project, const Variant& triton, std::string_view kind);

}  // namespace kernelgen
