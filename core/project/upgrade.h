// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

namespace kernelgen {

/// Turns a project's JSON of one schema version into that of the next.
using UpgradeStep = void (*)(nlohmann::json& project);

/// The steps that this program knows: the first one leads from version 1 to version 2, and so on. There are
/// `project_schema_version` − 1 of them.
std::span<const UpgradeStep> project_upgrades();

/// Applies the steps from `version` on.
void upgrade_project(nlohmann::json& project, int version, std::span<const UpgradeStep> steps);

}  // namespace kernelgen
