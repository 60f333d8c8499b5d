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

/// What `generate` did with one source.
struct GeneratedSource {
    std::string variant;
    std::string file;
    GenerateOutcome outcome = GenerateOutcome::unchanged;
};

/// Writes a new project with the sources that are generated from its definition. The folder is created where it is
/// missing. Errors: the folder already holds a project.
Result<void> create_project(Project& project);

/// The texts of the project's sources and companions on disk, by file; a file that cannot be read is left out.
std::map<std::string, std::string> source_texts(const Project& project);

/// The changes to a project, before anything is written.
struct Regenerated {
    std::vector<Variant> variants;             ///< the project's variants, with changed launches
    std::map<std::string, std::string> texts;  ///< texts by file, only of files that are to be written
    std::vector<GeneratedSource> outcomes;
};

/// Generates the sources again. `texts` has the present texts by file; a file that is missing there is written. Edited
/// sources are kept unless `force`. The chosen values of tunables are kept where they are still allowed.
Validated<Regenerated> regenerated(const Project& project, const std::map<std::string, std::string>& texts, bool force);

/// Generates the sources of all variants that were generated before, and saves the project with its changed launches,
/// by the rules of `regenerated`.
Validated<std::vector<GeneratedSource>> regenerate_sources(Project& project, bool force);

}  // namespace kernelgen
