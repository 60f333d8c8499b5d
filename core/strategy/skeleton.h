// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/generate/generate.h"
#include "core/project/project.h"

namespace kernelgen {

/// The generated kernel of another form than `present` for the device, in the configuration with which the generator
/// begins: what the project chose for a variant of this text is not read. It has the name of the project's variant
/// where that has the same text, else a name and a file that the project does not have. Nothing where `present` is that
/// kernel, or the definition has no body.
std::optional<GeneratedVariant> other_skeleton(const Project& project, const Implementation& present,
                                               const std::string& device);

/// Adds the variant to the project on disk, with its source, where the project has none of its name. Errors: files that
/// cannot be written.
Result<void> add_generated(Project& project, const GeneratedVariant& generated);

}  // namespace kernelgen
