// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/files/import_callable.h"

namespace kernelgen {

/// What a project is to be made of.
struct ImportSource {
    std::filesystem::path path;      ///< a folder that holds a set, a T1 file, or a Python file
    std::filesystem::path solution;  ///< of a Python file with a reference; may be empty
    std::string entry;               ///< the solution's function; empty: it is looked for
    std::optional<Trace> trace;      ///< the Python file's test calls are executed, and tell what it is called with
    std::string name;                ///< the operator's; empty: as the files say
};

/// Reads it by what `path` is. Without a trace nothing is executed. Errors: those of `read_python_set`,
/// `read_t1_project`, `read_callable` and `read_traced`.
Validated<ImportedSet> read_source(const ImportSource& source);

}  // namespace kernelgen
