// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/files/consistency.h"
#include "core/project/project.h"

namespace kernelgen {

/// A set of Python files read as a project, before anything is written.
struct ImportedSet {
    Project project;                                 ///< its `folder` is empty
    std::array<std::string, file_role_count> files;  ///< name of the set's file by role; may be empty
    std::map<std::string, std::string> texts;        ///< texts by file, with all edits
    Diagnostics edits;                               ///< all edits: file, "line N", what was changed, why
    Diagnostics notes;                               ///< what was not understood, or was assumed
};

/// Reads a set such as `broadcast_v1_triton.py`, `…_baseline.py`, `…_accuracy.py` and `…_performance.py`. Roles are
/// found by content and then by suffix. No file is executed, and `folder` is not changed. `name` is the operator's;
/// empty: the wrapper's name. Errors, each with the file and what to do: no kernel, several candidates for a role, a
/// file that does not parse or cannot be read, a wrapper that cannot be called.
Validated<ImportedSet> read_python_set(const std::filesystem::path& folder, const std::string& name = {});

/// Writes the set as a project into `folder`, which is created. Errors: the folder already holds a project.
Result<void> write_imported(ImportedSet& set, const std::filesystem::path& folder);

}  // namespace kernelgen
