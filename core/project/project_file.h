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

/// Reads a project. `path` is the folder or its project.json. Errors are all that are in the file: syntax, types,
/// unknown and duplicate keys, values out of range, names that nothing defines, a body that does not check.
Checked<Project> load_project(const std::filesystem::path& path);

/// As `load_project`, but errors of meaning (`validate`) are no errors: what a person is still editing.
Checked<Project> load_draft(const std::filesystem::path& path);

/// As `load_project`, from text; `file` is the name used in diagnostics.
Checked<Project> parse_project(std::string_view text, const std::filesystem::path& file);

/// As `parse_project`, but errors of meaning are no errors.
Checked<Project> parse_draft(std::string_view text, const std::filesystem::path& file);

/// Writes project.json atomically. Keys keep their documented order; what is default is left out.
Result<void> save_project(const Project& project);
std::string project_text(const Project& project);

/// Errors of meaning in a project that reads well; the same that `load_project` reports.
Diagnostics validate(const Project& project);

/// Parts of the schema, also used by the worker's protocol. Reading appends every error to `diagnostics`.
nlohmann::ordered_json to_json(const Operator& definition);
nlohmann::ordered_json to_json(const Variant& variant);
nlohmann::ordered_json to_json(const Implementation& implementation);  ///< {variant, text, configuration, files}
nlohmann::ordered_json to_json(const Case& binding);
nlohmann::ordered_json to_json(const Accuracy& accuracy);
nlohmann::ordered_json to_json(const Performance& performance);
Checked<Operator> operator_from_json(const nlohmann::json& json);
Checked<Variant> variant_from_json(const nlohmann::json& json);
Checked<Implementation> implementation_from_json(const nlohmann::json& json);
Checked<Case> case_from_json(const nlohmann::json& json);
Checked<Accuracy> accuracy_from_json(const nlohmann::json& json);
Checked<Performance> performance_from_json(const nlohmann::json& json);

/// An ad-hoc case of the command line: "P=1000,D=333,dtype=bf16"; every symbol must be bound.
Result<Case> parse_ad_hoc_case(std::string_view text, const Operator& definition);

}  // namespace kernelgen
