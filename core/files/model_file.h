// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen {

/// A Python file with a model and its inputs (docs/CALLABLE.md).
struct ModelFile {
    Implementation definition;
    std::vector<Case> cases;  ///< at least one
};

/// Reads the file, and what it imports of its own folder or package, without executing them. Errors, each with file and
/// line: one that does not parse, no model, no inputs; those of `own_modules`.
Validated<ModelFile> read_model_file(const std::filesystem::path& file);

}  // namespace kernelgen
