// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/backend/build.h"
#include "core/base/result.h"

namespace kernelgen {

/// Writes files below `folder`, each at its path. Errors name the file.
Result<void> write_source_tree(const std::filesystem::path& folder, const SourceFiles& files);

/// The files that a rule of a Makefile depends on, as a compiler's `-MD` writes it, where they are absolute: those that
/// lie outside the folder that it ran in.
std::vector<std::filesystem::path> outside_dependencies(std::string_view rule);

/// Names each message's file as it lies in the project: "helper.h" of "./helper.h" and of "kernels/../helper.h".
void name_files_as_in_project(std::vector<CompilerMessage>& messages);

}  // namespace kernelgen
