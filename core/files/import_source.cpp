// SPDX-License-Identifier: Apache-2.0
#include "core/files/import_source.h"

#include "core/files/import_t1.h"

namespace kernelgen {

Validated<ImportedSet> read_source(const ImportSource& source) {
    if (source.trace) return read_traced(source.path, *source.trace, source.name);
    if (source.path.extension() == ".py") return read_callable(source.path, source.solution, source.name, source.entry);
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(source.path, error);
    return is_file ? read_t1_project(source.path, source.name) : read_python_set(source.path, source.name);
}

}  // namespace kernelgen
