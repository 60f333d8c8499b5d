// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/files/import.h"

namespace kernelgen {

/// Reads a T1 file with the CUDA kernel that it names, as a project of family `custom`: the variant `cuda` with the
/// parameters as tunables; and as its reference and baseline the variant `reference`, the same source in its default
/// configuration. Inputs in `__constant__` memory become constants of the launch. The copy of the source is edited
/// where a project needs it: C linkage, and `const` for what the kernel only reads. `name` is the operator's; empty:
/// the benchmark's. Errors: those of `read_t1` and `read_t1_kernel`; no source, or none that defines the kernel with
/// these arguments.
Validated<ImportedSet> read_t1_project(const std::filesystem::path& file, const std::string& name = {});

}  // namespace kernelgen
