// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/goals.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/file.h"
#include "core/diagnose/rule.h"

namespace kernelgen {

Result<void> save_goals(const std::map<std::string, double>& goals) {
    const std::filesystem::path data = data_folder();
    if (data.empty()) return fail("no folder for the user's data: set HOME or XDG_DATA_HOME");
    const std::filesystem::path folder = data / "diagnosis";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail("cannot make " + folder.string() + ": " + error.message());
    const nlohmann::ordered_json document = {{"schema", rule_schema}, {"goals", goals}};
    return write_file_atomic(folder / "window_goals.json", document.dump(2) + "\n");
}

}  // namespace kernelgen
