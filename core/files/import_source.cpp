// SPDX-License-Identifier: Apache-2.0
#include "core/files/import_source.h"

#include <algorithm>
#include <array>

#include "core/files/import_t1.h"

namespace kernelgen {

namespace {

/// Whether it is named as a source in C, C++ or CUDA.
bool is_kernel_source(const std::filesystem::path& file) {
    return std::ranges::contains(std::array{".cu", ".cuh", ".c", ".cpp", ".cc", ".cxx", ".h", ".hpp"},
                                 file.extension().string());
}

}  // namespace

Validated<ImportedSet> read_source(const ImportSource& source) {
    if (source.trace) return read_traced(source.path, *source.trace, source.name);
    if (source.path.extension() == ".py") return read_callable(source.path, source.solution, source.name, source.entry);
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(source.path, error);
    if (is_file && is_kernel_source(source.path))
        return std::unexpected(Diagnostics{
            {source.path.string(), "", "a kernel alone does not say what is right",
             "write a definition in Python (docs/CALLABLE.md) and give the kernel as its solution (`--solution`)"}});
    return is_file ? read_t1_project(source.path, source.name) : read_python_set(source.path, source.name);
}

}  // namespace kernelgen
