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
    Project project;                                 ///< without a folder
    std::array<std::string, file_role_count> files;  ///< the set's file by role; empty where it has none
    std::map<std::string, std::string> texts;        ///< by file, as the project will have them
    Diagnostics edits;                               ///< what was rewritten: file, "line N", what, why
    Diagnostics notes;                               ///< what was not understood or had to be assumed
};

/// Reads a set as in `broadcast_v1_triton.py`, `…_baseline.py`, `…_accuracy.py` and `…_performance.py`: roles are found
/// by content and then by suffix, nothing is executed and `folder` is left as it is. `name` is the operator's, or
/// empty: the wrapper's. Errors: no kernel, several candidates for a role, a file that does not parse or cannot be
/// read, a wrapper that cannot be called; each with the file and what to do.
Checked<ImportedSet> read_python_set(const std::filesystem::path& folder, const std::string& name = {});

/// Writes the set as a project into `folder`, which is made; one that holds a project already is refused.
Result<void> write_imported(ImportedSet& set, const std::filesystem::path& folder);

}  // namespace kernelgen
