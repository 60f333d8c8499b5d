// SPDX-License-Identifier: Apache-2.0
#include "core/backend/artifact.h"

namespace kernelgen {

const std::string& symbol_of(const Artifact& artifact, const std::string& entry) {
    const auto found = artifact.symbols.find(entry);
    return found == artifact.symbols.end() ? entry : found->second;
}

}  // namespace kernelgen
