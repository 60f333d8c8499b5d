// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/gate/check.h"
#include "core/report/charts.h"
#include "core/report/kernel_report.h"

namespace kernelgen {

/// The timed results of a case in a row of checks that may be joined: the same stored round, environment and way of
/// comparing.
struct TrendLine {
    struct Point {
        std::size_t check = 0;  ///< its place among the checks
        const GatedCase* checked = nullptr;
    };
    std::size_t binding = 0;  ///< place in `Trend::cases`
    std::vector<Point> points;
};

/// The checks of a variant on a device, as charts show them.
struct Trend {
    std::vector<Case> cases;  ///< in the order in which they were first checked
    std::vector<TrendLine> lines;
};

/// Refers to `checks`, which must outlive it.
Trend trend_of(std::span<const GateCheck> checks);

/// Ratios over the checks of one variant and device, with their intervals. Nothing where no check was timed.
std::optional<Chart> trend_chart(std::span<const GateCheck> checks, const Phrases& say);

/// What the checks of a project say, for its part of a report: of each variant and device how many there were, the last
/// verdicts, and a chart. Empty where `gate.jsonl` has none.
ReportedGate reported_gate(const std::filesystem::path& project_folder, const Phrases& say);

}  // namespace kernelgen
