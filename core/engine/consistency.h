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
enum class Artefact { definition, kernel, baseline, accuracy, performance };
inline constexpr std::size_t artefact_count = 5;

/// Its rows.
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

std::string_view to_string(Artefact artefact);  ///< "definition"
std::string_view to_string(Aspect aspect);      ///< "parameter count"

/// What a file says on an aspect.
struct ChecklistCell {
    enum class State { none, agrees, differs };  ///< none: it says nothing on it, or need not
    State state = State::none;
    std::string text;  ///< "x, bias"; empty where it says nothing
};

std::string_view to_string(ChecklistCell::State state);

struct ChecklistRow {
    Aspect aspect = Aspect::function_name;
    std::array<ChecklistCell, artefact_count> cells;

    ChecklistCell& at(Artefact artefact) { return cells[static_cast<std::size_t>(artefact)]; }
    const ChecklistCell& at(Artefact artefact) const { return cells[static_cast<std::size_t>(artefact)]; }
};

/// A generated file that is not what the project would generate now.
struct StaleFile {
    std::string file;
    ChangeKind change = ChangeKind::none;  ///< tunables, interface or logic; implementation: edited, or a test file
    bool edited = false;                   ///< a person's now: brought in step only with force

    bool operator==(const StaleFile&) const = default;
};

/// The state of a project's Python files and of all its generated ones.
struct Consistency {
    std::string variant;                            ///< the triton variant whose files these are, or empty: none
    std::array<std::string, artefact_count> files;  ///< by artefact; project.json for the definition; empty: none
    std::vector<ChecklistRow> rows;                 ///< empty without a triton variant
    Diagnostics mismatches;                         ///< file, "line N", what, what to do
    ChangeKind change = ChangeKind::none;           ///< the gravest of `stale`
    std::vector<StaleFile> stale;

    /// No mismatch, and no file that bringing in step would write.
    bool consistent() const;
};

/// The project's sources and companions as they stand on disk, by file; one that cannot be read is left out.
std::map<std::string, std::string> source_texts(const Project& project);

/// Computes the checklist from the files' texts; nothing is executed. Errors: no Python interpreter.
Result<Consistency> check_consistency(const Project& project, const std::map<std::string, std::string>& texts);

enum class StepOutcome { written, tunables, kept };
std::string_view to_string(StepOutcome outcome);

/// What bringing in step does with one file: writes it again, sets its tunables in place, or leaves it to its author.
struct Step {
    std::string file;
    StepOutcome outcome = StepOutcome::written;
};

/// What bringing in step makes of a project, before anything is written.
struct BroughtInStep {
    std::vector<Variant> variants;
    std::map<std::string, std::string> texts;  ///< by file, those that are to be written
    std::vector<Step> steps;
};

/// Writes stale generated files again; edited ones only with `force`. The tunables' literals take the project's values,
/// in edited files too. Errors: a definition that does not check, no Python interpreter.
Checked<BroughtInStep> brought_in_step(const Project& project, const std::map<std::string, std::string>& texts,
                                       bool force);

/// The same on disk.
Checked<std::vector<Step>> bring_in_step(Project& project, bool force);

}  // namespace kernelgen
