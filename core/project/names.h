// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/said.h"

namespace kernelgen {

/// Why `name` cannot be an identifier in one of the generated languages ("is a keyword of C++"); nothing where it can.
std::optional<Said> identifier_problem(std::string_view name);

/// As `identifier_problem`; also refuses the names of the operator language ("is a word of the operator language").
std::optional<Said> value_name_problem(std::string_view name);

/// The words that `value_name_problem` refuses.
std::vector<std::string> refused_words();

/// As `identifier_problem`, but a leading `_` is allowed: for tensors and attributes of operators without a body.
std::optional<Said> parameter_name_problem(std::string_view name);

/// Why a compiler flag is refused; nothing where it is accepted. Flags that change what NaN and Inf do are refused.
std::optional<Said> flag_problem(std::string_view flag);

/// A compiler flag that names a folder or a file of headers, such as `-Iinclude`: its option and its path.
struct IncludeFlag {
    std::string_view option;
    std::string_view path;
};

std::optional<IncludeFlag> include_flag(std::string_view flag);

/// Why `path` cannot be a source file; nothing where it can. It must stay within the project's folder, and must not be
/// a file that kernelgen writes there, such as project.json.
std::optional<Said> source_path_problem(const std::string& path);

}  // namespace kernelgen
