// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen {

enum class GenerateOutcome { unchanged, written, kept };
std::string_view to_string(GenerateOutcome outcome);

/// What generating again did with one source.
struct GeneratedSource {
    std::string variant;
    std::string file;
    GenerateOutcome outcome = GenerateOutcome::unchanged;
};

/// Writes a new project with the sources that its definition generates. The folder is made where it is missing; one
/// that already holds a project is refused.
Result<void> create_project(Project& project);

/// Generates the sources of all variants that were generated once, and saves the project with what changed of their
/// launches. Edited sources are kept unless `force`. Chosen values of tunables stay where they are still allowed.
Checked<std::vector<GeneratedSource>> regenerate_sources(Project& project, bool force);

}  // namespace kernelgen
