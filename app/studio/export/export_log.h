// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "core/project/project.h"
#include "core/report/report.h"
#include "core/round/history.h"

namespace kernelgen::studio {

/// What an export wrote.
struct ExportedLog {
    std::filesystem::path log;
    std::vector<std::filesystem::path> charts;
};

/// Writes `optimization_log.md` into the project's folder, with the charts of its rounds as SVG beside it in
/// `optimization_log_charts/` and linked from it. Needs a QApplication, but no display. Errors: a folder that cannot be
/// written.
Result<ExportedLog> exportLogWithCharts(const Project& project, const History& history, Tongue tongue);

}  // namespace kernelgen::studio
