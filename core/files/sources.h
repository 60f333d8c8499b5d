// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
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

/// The project's sources and companions as they stand on disk, by file; one that cannot be read is left out.
std::map<std::string, std::string> source_texts(const Project& project);

/// What generating again makes of a project, before anything is written.
struct Regenerated {
    std::vector<Variant> variants;             ///< of the project, with what changed of their launches
    std::map<std::string, std::string> texts;  ///< by file, those that are to be written
    std::vector<GeneratedSource> outcomes;
};

/// `texts` are the sources as they stand, by file; a file without one is written. Edited sources are kept unless
/// `force`. Chosen values of tunables stay where they are still allowed.
Checked<Regenerated> regenerated(const Project& project, const std::map<std::string, std::string>& texts, bool force);

/// Generates the sources of all variants that were generated once, and saves the project with what changed of their
/// launches, by the rules of `regenerated`.
Checked<std::vector<GeneratedSource>> regenerate_sources(Project& project, bool force);

}  // namespace kernelgen
