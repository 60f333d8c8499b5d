// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen {

/// The version of `project.json`. Raise it when an older reader would misread or refuse a new file; add the step from
/// the version before to `upgrade_project`.
inline constexpr int project_schema_version = 1;

/// Reads a project. `path` is the folder or its project.json. Reports all errors of the file: syntax, types, unknown
/// and duplicate keys, values out of range, undefined names, and errors of the body.
Validated<Project> load_project(const std::filesystem::path& path);

/// As `load_project`, for a project that a person is still editing. Reports only that there is no such file, that it is
/// no JSON (or has a key twice, or an integer beyond 64 bits), or has another schema. Everything else that is wrong is
/// told by `errors_of`: what cannot be read has its default value, and stays in `project_text` until an edit replaces
/// it.
Validated<Project> load_draft(const std::filesystem::path& path);

/// As `load_project`, from text; `file` is the name used in diagnostics.
Validated<Project> parse_project(std::string_view text, const std::filesystem::path& file);

/// As `load_draft`, from text.
Validated<Project> parse_draft(std::string_view text, const std::filesystem::path& file);

/// Writes project.json atomically. Keys keep their documented order; keys with default values are left out.
Result<void> save_project(const Project& project);
std::string project_text(const Project& project);

/// Errors in the values of a project whose JSON has the right form; `load_project` reports the same.
Diagnostics validate(const Project& project);

/// The errors that `load_project` would report if the draft were saved.
Diagnostics errors_of(const Project& draft);
/// The errors of `errors_of` that are about parts which could not be read.
Diagnostics unread_parts(const Project& draft);

/// JSON of the schema's parts, which the worker's protocol uses too. Reading reports all errors.
nlohmann::ordered_json to_json(const Operator& definition);
nlohmann::ordered_json to_json(const Variant& variant);
nlohmann::ordered_json to_json(const Implementation& implementation);  ///< {variant, text, configuration, files}
nlohmann::ordered_json to_json(const Case& binding);
nlohmann::ordered_json to_json(const Accuracy& accuracy);
nlohmann::ordered_json to_json(const Performance& performance);
Validated<Operator> operator_from_json(const nlohmann::json& json);
Validated<Implementation> implementation_from_json(const nlohmann::json& json);
Validated<Case> case_from_json(const nlohmann::json& json);
Validated<Accuracy> accuracy_from_json(const nlohmann::json& json);
Validated<Performance> performance_from_json(const nlohmann::json& json);

/// Parses a case of the command line: "P=1000,D=333,dtype=bf16". Errors: a symbol without a size, an unknown name.
Result<Case> parse_ad_hoc_case(std::string_view text, const Operator& definition);

}  // namespace kernelgen
