// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/studio/export/export_log.h"
#include "core/project/own_files.h"
#include "core/tune/tuning.h"

namespace kernelgen::studio {

/// The folder of a log's charts, within the log's.
inline constexpr std::string_view charts_folder = own_files::log_charts;

/// The charts that a history has data for, each drawn when it is called, in the GUI thread: speedup, then of every
/// device roofline and efficiency, and latency and errors of the newest timed round whose full record is in `details`.
std::vector<std::function<DrawnChart()>> chartsOf(std::shared_ptr<const History> history,
                                                  const std::map<std::string, RoundDetail>& details);

/// The charts of a tuning, likewise: the best so far, all configurations, a heat map over the two tunables that matter
/// most, parallel coordinates and the tunables' importance.
std::vector<std::function<DrawnChart()>> chartsOf(const std::shared_ptr<const Tuning>& tuning);

/// A project's newest tuning of each variant and device in which something succeeded, by number.
std::vector<std::shared_ptr<const Tuning>> tuningsForLog(const std::filesystem::path& folder);

/// Whether a file of `charts_folder` is one that `chartsOf` may have named.
bool isChartFile(const std::string& name);

}  // namespace kernelgen::studio
