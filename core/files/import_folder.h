// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/files/import.h"

namespace kernelgen {

/// A Python file of a folder, read by itself.
struct ImportedFile {
    std::filesystem::path file;
    Validated<ImportedSet> set;

    /// The name of its project's folder.
    std::string name() const { return file.stem().string(); }
};

/// Reads every Python file of a folder as a problem (read_callable), in the order of their names. With `solutions`, a
/// folder, each has the solution there that is named as it is, in Python, C++ or CUDA; a problem without one is
/// refused. Nothing is executed.
std::vector<ImportedFile> read_folder(const std::filesystem::path& folder, const std::filesystem::path& solutions = {});

}  // namespace kernelgen
