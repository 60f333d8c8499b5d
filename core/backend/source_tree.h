// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/backend/compiler_message.h"
#include "core/base/result.h"
#include "core/project/variant.h"

namespace kernelgen {

/// Writes files below `folder`, each at its path. Errors name the file.
Result<void> write_source_tree(const std::filesystem::path& folder, const SourceFiles& files);

/// The files on which a rule of a Makefile depends, as a compiler's `-MD` writes it; only those with an absolute path,
/// which are outside the folder in which the compiler ran.
std::vector<std::filesystem::path> outside_dependencies(std::string_view rule);

/// Names each message's file by its path in the project: "helper.h" for "./helper.h" and for "kernels/../helper.h".
void name_files_as_in_project(std::vector<CompilerMessage>& messages);

}  // namespace kernelgen
