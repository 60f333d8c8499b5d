// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/project/source_files.h"

namespace kernelgen {

/// Why a variant decides on others, and so must not be changed by those whose kernels are judged: it is a baseline, or
/// the reference of family `custom`. Nothing where it does not.
std::optional<std::string> judging_role(const Project& project, std::string_view variant);

/// The files of which the judges are built, with the reason: the Python file that defines the operator, the reference
/// variant, the baselines, and all that these include or import. Errors: a file that cannot be read.
Result<std::map<std::string, std::string>> judging_files(const Project& project, const SourceReader& read);

/// The files of the project's variants, whoever they are.
Result<SourceFiles> files_of_variants(const Project& project, const SourceReader& read);

/// Why one whose kernel is judged may not give `file` the text `text`: the file lies outside the project's folder,
/// belongs to no variant, is one of the judges', or would become one (a header of the name that a baseline includes);
/// a new file is no source by its name. Nothing where that is allowed.
std::optional<Said> edit_problem(const Project& project, const std::string& file, const std::string& text);

}  // namespace kernelgen
