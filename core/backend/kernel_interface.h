// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/backend/build.h"
#include "core/project/launch_plan.h"

namespace kernelgen {

/// The types of a kernel's arguments in C++ and CUDA C++, which have the same names.

/// The C++ name of an element type: "float", "kg_bf16".
std::string_view cpp_type(DType dtype);

/// "const float*" of an input, "float*" of an output or workspace, "int64_t" of a symbol, "double",
/// "int64_t" or "bool" of an attribute, "const __grid_constant__ CUtensorMap" of a tensor map.
std::string parameter_type(const BuildRequest& request, const Argument& argument);

/// "const float* x, float* out, int64_t P".
std::string parameter_list(const BuildRequest& request, const std::vector<Argument>& arguments);

/// Whether a parameter's type is declared only by the kernel header.
bool needs_kernel_header(const BuildRequest& request, const std::vector<Argument>& arguments);

/// The function that a launch starts.
const std::string& entry_of(const Variant& variant, const Launch& launch);

/// The functions that a variant's launches start, each once.
std::vector<std::string> entries_of(const Variant& variant);

/// The compiler options for the macros of the configuration and dtype: "-DBLOCK_M=16", "-DDTYPE=float".
std::vector<std::string> kernel_macros(const BuildRequest& request);

}  // namespace kernelgen
