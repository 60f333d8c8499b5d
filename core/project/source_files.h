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

/// Gives the text of a file by its path: in the project's folder ("kernels/helper.h"), or absolute. Nothing: there is
/// no such file here. Errors: there is one, and it cannot be taken.
using SourceReader = std::function<Result<std::optional<std::string>>(const std::string& path)>;

/// Reads the files of a project's folder. Errors name the file: it is a link that leads out of the folder, is not
/// UTF-8, or is larger than 4 MiB.
SourceReader folder_reader(std::filesystem::path folder);

/// Why a further source may not lie at `path` within `folder`: `source_path_problem`, or a link leads out from there.
std::optional<std::string> place_problem(const std::filesystem::path& folder, const std::string& path);

/// What the files of `roots` include or import, and what those do, by path; the roots themselves are not among it. C++
/// and CUDA: `#include "…"` is looked for beside the including file, in the folders that the variant's flags name, and
/// in the project's folder; `#include <…>` in the folders of the flags alone. Python: imports, beside the variant's
/// source and in the project's folder. What is not found is left to the compiler; an `#include` of a macro is not
/// followed. `folder` is the project's: an absolute path that lies in it is one of the project. Errors: a file that
/// cannot be taken, with the one that includes it; more than 2,000 files of the project, or 16 MiB.
Result<SourceFiles> included_files(const Variant& variant, const SourceFiles& roots, const SourceReader& read,
                                   const std::filesystem::path& folder = {});

/// The project's files that `variant` is built of beside its source, whose text is `text`: those that it lists as
/// `sources`, and all that these include or import. Errors: those of `included_files`; a listed file is not there.
Result<SourceFiles> further_sources(const Project& project, const Variant& variant, const std::string& text,
                                    const SourceReader& read);

/// The variant's text and further sources from the project's folder, with the configuration of its tunables' values.
Result<Implementation> read_implementation(const Project& project, const Variant& variant);

/// Of the variant's listed `sources` those that are compiled on their own: C++ or CUDA by their names (`.cpp`, `.cc`,
/// `.cxx`; `.cu`), and included by none of the files.
std::vector<std::string> translation_units(const Implementation& implementation);

}  // namespace kernelgen
