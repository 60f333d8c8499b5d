// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/project/source_files.h"

namespace kernelgen {

/// Where a Python file stands among the modules that were written with it.
struct ModulePlace {
    std::filesystem::path root;  ///< the folder that holds its outermost package; without a package its own folder
    std::string file;            ///< its path there: "fla/ops/add.py", "add.py"

    bool is_in_package() const { return file.contains('/'); }
};

/// A folder with an `__init__.py` is a package.
ModulePlace module_place(const std::filesystem::path& file);

/// The modules under the root that the file's text imports, directly or through others, by their paths there, without
/// the file itself. A package's `__init__.py` is one of them only where a name is imported that is no module of the
/// package: it often imports the whole of a library. Nothing is executed. Errors: more than 200 files or 4 MiB, a file
/// that cannot be read, is no UTF-8, or is a link that leads out of the root.
Result<SourceFiles> own_modules(const ModulePlace& place, const std::string& text);

}  // namespace kernelgen
