// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/backend/build.h"

namespace kernelgen {

/// The translation unit of a `cuda` variant: its source (with unchanged line numbers), an `#include` of each further
/// source, then a line for each launch: the kernel's prototype, or a check of its name expression. The line follows
/// from the launch's `args` and the case's dtypes, so a source with another signature does not compile. The unit is
/// compiled in the project's folder or a copy of it. A source that ends inside a block or declaration fails before
/// these lines. Errors: an argument that nothing defines.
Result<std::string> cuda_translation_unit(const BuildRequest& request);

/// Reads the messages of NVRTC and ptxas. Messages about the launches' lines are moved to the kernel's
/// definition, with the signature that it must have. All messages after the end of an incomplete source become one
/// message at its last line. A message of ptxas about a line of `ptx`, such as inline assembly, is moved to the line of
/// the source from which it comes.
std::vector<CompilerMessage> parse_nvrtc_log(const BuildRequest& request, std::string_view log,
                                             std::string_view ptx = {});

/// A message for each entry point, and each `__constant__` variable of a launch, that the PTX does not define.
/// `artifact` has the entries' symbols.
std::vector<CompilerMessage> missing_symbols(const BuildRequest& request, const Artifact& artifact,
                                             std::string_view ptx);

}  // namespace kernelgen
