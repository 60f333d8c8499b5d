// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/host/compiler.h"

namespace kernelgen {

/// The assembly of a `cpp` variant with the source's lines, as `objdump -d -l --inlines` prints it. The variant is
/// built once more with line information, which changes no instruction; that build has its own place in the cache.
/// Errors: it cannot be built; there is no `objdump`, with how to get it.
Result<std::string> host_assembly(const Compiler& compiler, const std::string& processor, const BuildRequest& request,
                                  const Progress& progress, std::stop_token stop);

}  // namespace kernelgen
