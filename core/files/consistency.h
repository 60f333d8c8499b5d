// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/round/record.h"

namespace kernelgen {

/// The columns of the checklist: the definition, and the four files of an operator.
enum class FileRole { definition, kernel, baseline, accuracy, performance };
inline constexpr std::size_t file_role_count = 5;

/// The rows of the checklist.
enum class Aspect {
    function_name,
    parameter_count,
    parameter_names,
    parameter_order,
    parameter_types,
    return_type,
    input_checks,
    kernel_arguments,
    tunables,
    tolerances,
    cases,
};

std::string_view to_string(FileRole role);  ///< "definition"
std::string_view to_string(Aspect aspect);  ///< "parameter count"

/// One file's cell in a row of the checklist.
struct ChecklistCell {
    enum class State { none, agrees, differs };  ///< none: the file has nothing to compare in this row
    State state = State::none;
    Said text;  ///< what the file has, "x, bias"; may be empty
};

std::string_view to_string(ChecklistCell::State state);

struct ChecklistRow {
    Aspect aspect = Aspect::function_name;
    std::array<ChecklistCell, file_role_count> cells;

    ChecklistCell& at(FileRole role) { return cells[static_cast<std::size_t>(role)]; }
    const ChecklistCell& at(FileRole role) const { return cells[static_cast<std::size_t>(role)]; }
};

/// A generated file that differs from what the project would generate now.
struct StaleFile {
    std::string file;
    ChangeKind change = ChangeKind::none;  ///< implementation: it was edited, or is a test file
    bool edited = false;                   ///< a person has edited it: it is replaced only with `force`

    bool operator==(const StaleFile&) const = default;
};

/// The checklist of a project's Python files, and the state of all its generated files.
struct Consistency {
    std::string variant;                             ///< the triton variant of these files; empty: there is none
    std::array<std::string, file_role_count> files;  ///< by role; project.json for the definition; may be empty
    std::vector<ChecklistRow> rows;                  ///< empty without a triton variant
    Diagnostics mismatches;                          ///< file, "line N", what differs, what to do
    ChangeKind change = ChangeKind::none;            ///< the gravest of `stale`
    std::vector<StaleFile> stale;

    /// Whether there is no mismatch, and no file that `bring_in_step` would write.
    bool consistent() const;
};

/// Computes the checklist from the files' texts; no file is executed. Errors: no Python interpreter.
Result<Consistency> check_consistency(const Project& project, const std::map<std::string, std::string>& texts);

}  // namespace kernelgen
