// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/report/charts.h"
#include "core/report/html.h"
#include "core/report/report.h"

namespace kernelgen {

/// A document with the pictures that its text names.
struct Illustrated {
    std::string markdown;
    Pictures pictures;
};

/// The optimization log with its charts.
Illustrated illustrated_log(const Project& project, const History& history, Tongue tongue,
                            const Consistency* consistency);

/// What the checks of a project's gate say (core/gate).
struct ReportedGate {
    std::string markdown;  ///< "" without a check
    std::vector<Chart> charts;
};

/// A project that a report covers.
struct ReportedProject {
    Project project;
    History history;
    ReportedGate gate = {};
};

/// The report on one or several projects: a summary; of each project the versions, the indicators against their goals,
/// the place on the roofline, accuracy, trend, the checks of its gate and recommendations; an appendix on environment
/// and method. It has charts where it is for a page.
Illustrated kernel_report(std::span<const ReportedProject> projects, Tongue tongue, bool has_charts);

}  // namespace kernelgen
