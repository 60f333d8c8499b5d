// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/files/consistency.h"
#include "core/python/inspection.h"
#include "core/python/test_calls.h"

namespace kernelgen {

/// The triton variant to whose four files the checklist applies: the first one whose entry is a Python function; or
/// null.
const Variant* wrapper_variant(const Project& project);

/// The torch variant that is the baseline file: a custom operator's reference, else the first that is not compiled; or
/// null.
const Variant* baseline_file_variant(const Project& project);

/// A variant's companion of a kind ("accuracy", "performance"), or null.
const Companion* find_companion(const Variant& variant, std::string_view kind);

/// The names of a project's files by role; project.json for the definition.
std::array<std::string, file_role_count> set_of_files(const Project& project);

/// Fills `result.rows` and appends to `result.mismatches`. `files` has the inspected files by name; a missing entry
/// means that the file does not exist. `tests` are the companions' calls.
void fill_checklist(const Project& project, const std::map<std::string, PythonFile>& files,
                    const std::map<std::string, PythonTests>& tests, Consistency& result);

/// The parameters of the operator's Python function: inputs, symbols that no input has, attributes.
std::vector<std::string> python_parameters(const Operator& definition);

}  // namespace kernelgen
