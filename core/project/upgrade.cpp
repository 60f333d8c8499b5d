// SPDX-License-Identifier: Apache-2.0
#include "core/project/upgrade.h"

#include <nlohmann/json.hpp>

namespace kernelgen {

std::span<const UpgradeStep> project_upgrades() { return {}; }

void upgrade_project(nlohmann::json& project, int version, std::span<const UpgradeStep> steps) {
    for (std::size_t i = static_cast<std::size_t>(version) - 1; i < steps.size(); ++i) steps[i](project);
}

}  // namespace kernelgen
