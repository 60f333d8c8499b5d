// SPDX-License-Identifier: Apache-2.0
#include "core/files/import_folder.h"

#include <algorithm>

#include "core/files/import_callable.h"
#include "core/project/source_files.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

/// A problem's solution: the file of the same name, or the one of C++ or CUDA that is named so; "" without one.
fs::path solution_of(const fs::path& problem, const fs::path& solutions) {
    std::error_code error;
    std::vector<std::string> endings = source_endings(Language::extension);
    endings.insert(endings.begin(), ".py");
    for (const std::string& ending : endings) {
        const fs::path file = solutions / problem.filename().replace_extension(ending);
        if (fs::is_regular_file(file, error)) return file;
    }
    return {};
}

Validated<ImportedSet> read_file_of_folder(const fs::path& file, const fs::path& solutions) {
    if (solutions.empty()) return read_callable(file);
    const fs::path solution = solution_of(file, solutions);
    if (!solution.empty()) return read_callable(file, solution);
    return std::unexpected(
        Diagnostics{{file.filename().string(), "", say("`{}` has no solution of it", solutions.string()),
                     "a solution is named as its problem"}});
}

}  // namespace

std::vector<ImportedFile> read_folder(const fs::path& folder, const fs::path& solutions) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".py" && entry.is_regular_file(error)) paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    std::vector<ImportedFile> files;
    for (const fs::path& path : paths) files.push_back({path, read_file_of_folder(path, solutions)});
    return files;
}

}  // namespace kernelgen
