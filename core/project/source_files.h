// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen {

/// Returns the text of a file. The path is relative to the project's folder ("kernels/helper.h") or absolute. Nothing:
/// there is no such file. Errors: the file exists and cannot be used.
using SourceReader = std::function<Result<std::optional<std::string>>(const std::string& path)>;

/// A reader of the files of a project's folder. Errors name the file: it is a link that leads out of the folder, is not
/// UTF-8, or is larger than 4 MiB.
SourceReader folder_reader(std::filesystem::path folder);

/// Why a further source may not be at `path` in `folder`: `source_path_problem`, or a link that leads out of the
/// folder. Nothing where it may.
std::optional<Said> place_problem(const std::filesystem::path& folder, const std::string& path);

/// The files that `roots` include or import, directly or through others, by path; without the roots. C++ and CUDA:
/// `#include "…"` is looked for beside the including file, in the folders that the variant's flags name, and in the
/// project's folder; `#include <…>` only in the folders of the flags. Python: imports are looked for beside the
/// variant's source and in the project's folder. Files that are not found are left to the compiler. An `#include` of a
/// macro is not followed. `folder` is the project's: absolute paths below it are files of the project. Errors: a file
/// that cannot be used, with the file that includes it; more than 2,000 files of the project, or 16 MiB.
Result<SourceFiles> included_files(const Variant& variant, const SourceFiles& roots, const SourceReader& read,
                                   const std::filesystem::path& folder = {});

/// The project's files of which `variant` is built besides its source (whose text is `text`): its `sources`, the
/// Python file that defines the operator, and all files that these include or import. Errors: those of
/// `included_files`; a file of `sources` does not exist.
Result<SourceFiles> further_sources(const Project& project, const Variant& variant, const std::string& text,
                                    const SourceReader& read);

/// Reads the variant's source and further sources from the project's folder. The configuration has the `value`s of the
/// tunables.
Result<Implementation> read_implementation(const Project& project, const Variant& variant);

/// How names of files end that a compiler takes by themselves: ".cpp". None for a language in Python.
const std::vector<std::string>& source_endings(Language language);

/// The files of the variant's `sources` that are compiled on their own: files of C++ or CUDA by their names (`.cpp`,
/// `.cc`, `.cxx`; `.cu`) that no other file includes.
std::vector<std::string> translation_units(const Implementation& implementation);

}  // namespace kernelgen
