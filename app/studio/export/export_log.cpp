// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/export/export_log.h"

#include "core/base/file.h"

namespace kernelgen::studio {

Result<ExportedLog> exportLogWithCharts(const Project& project, const History& history, Tongue tongue) {
    ExportedLog exported{.log = project.folder / "optimization_log.md", .charts = {}};
    const Result<void> written = write_file_atomic(exported.log, optimization_log(project, history, tongue));
    if (!written) return std::unexpected(written.error());
    return exported;
}

}  // namespace kernelgen::studio
