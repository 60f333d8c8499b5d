// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/report/charts.h"
#include "core/report/kernel_report.h"
#include "core/report/log_sections.h"

namespace kernelgen {

/// A round that speaks for a project on a device: the best one of the newest group of comparable rounds of the
/// project's cases over its baseline; where there is no such group, of the newest group; where none was timed, the last
/// one.
struct TellingRound {
    const Round* round = nullptr;
    RoundGroup group;  ///< comparable rounds; empty where none was timed
    bool of_project =
        true;  ///< false: of another definition, other cases or baseline; its speedup is not the project's
};

/// One telling round for each device, in the order in which devices were first used. Refers to `reported`.
std::vector<TellingRound> telling_rounds(const ReportedProject& reported);

/// The sections of one project in the report, with headings of level 3.
std::string evolution_section(const ReportedProject& reported, const Phrases& say);
std::string roofline_section(const History& history, const Phrases& say);
std::string trend_section(const std::vector<TellingRound>& telling, const History& history, const Phrases& say);
std::string recommendation_section(const ReportedProject& reported, const std::vector<TellingRound>& telling,
                                   const Validated<RuleBook>& book, const Phrases& say);

/// What was learned, as people noted it; "" where nothing was.
std::string noted_lessons(const History& history, const Phrases& say);

/// How everything was measured, and what each number means.
std::string method_section(const Phrases& say);

/// The charts of a history: speedup and roofline of each device, and the errors of the telling rounds' cases.
std::vector<Chart> charts_of(const ReportedProject& reported, const Phrases& say);

}  // namespace kernelgen
