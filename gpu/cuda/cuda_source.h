// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/backend/build.h"

namespace kernelgen {

/// The translation unit of a `cuda` variant: its source (whose lines keep their numbers), an `#include` of each further
/// source, then the prototype that the `args` of each launch and the case's dtypes demand, so that a source of another
/// signature does not compile. It is compiled in the project's folder or a copy of it. A source
/// that ends inside a block or declaration fails before the prototypes. Errors: an argument that nothing defines.
Result<std::string> cuda_translation_unit(const BuildRequest& request);

/// The functions that the variant's launches start, each once.
std::vector<std::string> entries_of(const Variant& variant);

/// What NVRTC and ptxas say, as messages. What they say of the prototypes is put at the kernel's definition, with the
/// signature that it has to have; what they say behind a source that does not end is one message at its last line. What
/// ptxas says of a line of `ptx`, such as one of inline assembly, is put at the source's line that it comes from.
std::vector<CompilerMessage> parse_nvrtc_log(const BuildRequest& request, std::string_view log,
                                             std::string_view ptx = {});

/// A message for each entry that the PTX does not define.
std::vector<CompilerMessage> missing_entries(const BuildRequest& request, std::string_view ptx);

}  // namespace kernelgen
