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

/// What is done with one file: it is written again, its tunables are set in place, or it is left to its author.
struct Step {
    std::string file;
    StepOutcome outcome = StepOutcome::written;
};

/// The changes to a project, before anything is written.
struct BroughtInStep {
    std::vector<Variant> variants;
    std::map<std::string, std::string> texts;  ///< texts by file, only of files that are to be written
    std::vector<Step> steps;
};

/// Computes the texts of stale generated files; of edited files only with `force`. The tunables' literals get the
/// project's values, in edited files too. Errors: an invalid definition, no Python interpreter.
Validated<BroughtInStep> brought_in_step(const Project& project, const std::map<std::string, std::string>& texts,
                                         bool force);

/// Brings the project in step as above, and writes the files.
Validated<std::vector<Step>> bring_in_step(Project& project, bool force);

}  // namespace kernelgen
