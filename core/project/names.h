// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernelgen {

/// Why `name` cannot be an identifier in all generated languages ("is a keyword of C++"), or nothing where it can.
std::optional<std::string> identifier_problem(std::string_view name);

/// As `identifier_problem`, and what the operator language uses itself ("is a word of the operator language").
std::optional<std::string> value_name_problem(std::string_view name);

/// As `identifier_problem`, of a tensor or an attribute where no body uses the name: it may begin with `_`.
std::optional<std::string> parameter_name_problem(std::string_view name);

/// Why a compiler flag is refused, or nothing. Flags never change what NaN and Inf do.
std::optional<std::string> flag_problem(std::string_view flag);

/// A compiler flag that names a folder or a file of headers, `-Iinclude`: its option and what it names.
struct IncludeFlag {
    std::string_view option;
    std::string_view path;
};

std::optional<IncludeFlag> include_flag(std::string_view flag);

/// Why `path` cannot be a source: it must stay within the project's folder and not be one of the project's own files.
std::optional<std::string> source_path_problem(const std::string& path);

}  // namespace kernelgen
