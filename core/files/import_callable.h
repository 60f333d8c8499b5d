// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/files/import.h"

namespace kernelgen {

/// Reads a Python file with a reference and its inputs, such as a problem of KernelBench, as a project of family
/// `callable`: the reference is also the baseline. With a solution, that is the variant that runs by default; without
/// one it is the reference by torch.compile. A solution is a Python file, or a file of C++ or CUDA, which comes with
/// what it includes from its own folder. Nothing is executed. `name` is the operator's; empty: from the file's name.
/// `entry` is the solution's function; empty: it is looked for. Errors, each with file and line: a file that does not
/// parse, no reference, no inputs, no entry of the solution.
Checked<ImportedSet> read_callable(const std::filesystem::path& problem, const std::filesystem::path& solution = {},
                                   const std::string& name = {}, const std::string& entry = {});

}  // namespace kernelgen
