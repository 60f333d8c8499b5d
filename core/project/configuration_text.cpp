// SPDX-License-Identifier: Apache-2.0
#include "core/project/configuration_text.h"

#include <vector>

#include "core/base/text.h"

namespace kernelgen {

std::string configuration_text(const Configuration& configuration) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : configuration) parts.push_back(name + "=" + std::to_string(value));
    return join(parts, " ");
}

}  // namespace kernelgen
