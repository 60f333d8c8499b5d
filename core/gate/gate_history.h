// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gate/check.h"

namespace kernelgen {

nlohmann::json to_json(const GateCheck& check);
Result<GateCheck> gate_check_from_json(const nlohmann::json& json);

/// `gate.jsonl` in the project's folder: a line for each check.
std::filesystem::path gate_history_path(const std::filesystem::path& project_folder);

/// Appends a check, under a lock. Errors, after which the file is unchanged: read-only folder, full disk.
Result<void> append_check(const std::filesystem::path& project_folder, const GateCheck& check);

/// Checks as they were read, oldest first.
struct CheckHistory {
    std::vector<GateCheck> checks;
    Said warning = {};  ///< how many lines could not be read and are left out; empty where there are none
};

/// All checks. A missing file has none; a damaged history does not stop a check.
CheckHistory load_checks(const std::filesystem::path& project_folder);

/// The last `most` of the checks that are of a variant on a device.
std::vector<GateCheck> last_checks_of(std::vector<GateCheck> checks, std::string_view variant, std::string_view device,
                                      std::size_t most = 100);

/// The last checks of a variant on a device.
CheckHistory load_checks(const std::filesystem::path& project_folder, std::string_view variant, std::string_view device,
                         std::size_t most = 100);

}  // namespace kernelgen
