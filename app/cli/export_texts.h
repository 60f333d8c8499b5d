// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/report/report.h"

namespace kernelgen::cli {

/// Of `--lang`: "zh", or English.
Tongue tongue_named(std::string_view language);

/// The text of optimization_log.md, and what it lacks.
struct ExportedLog {
    std::string text;
    std::vector<std::string> warnings;
};
Checked<ExportedLog> exported_log(const Project& project, Tongue tongue);

}  // namespace kernelgen::cli
