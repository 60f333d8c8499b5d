// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen {

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
