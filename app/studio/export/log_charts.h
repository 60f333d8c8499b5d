// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/studio/export/export_log.h"

namespace kernelgen::studio {

/// The folder of a log's charts, within the log's.
inline constexpr const char* charts_folder = "optimization_log_charts";

/// The charts that a history has data for, each drawn when it is called, in the GUI thread: speedup, then of every
/// device roofline and efficiency, and latency and errors of the newest timed round whose full record is in `details`.
std::vector<std::function<DrawnChart()>> chartsOf(std::shared_ptr<const History> history,
                                                  const std::map<std::string, RoundDetail>& details);

/// Whether a file of `charts_folder` is one that `chartsOf` may have named.
bool isChartFile(const std::string& name);

}  // namespace kernelgen::studio
