// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnose/rule.h"
#include "core/report/phrases.h"
#include "core/round/best.h"
#include "core/round/comparison.h"
#include "core/round/history.h"

namespace kernelgen {

/// A round for the log: its full record, or the summary where the full record cannot be read.
struct RoundView {
    Round round;
    std::optional<RoundDetail> detail;
    std::string detail_problem;            ///< why there is no detail
    const Round* compared_with = nullptr;  ///< the round to which its gain refers, where the history has it
    std::optional<Change> change;          ///< since the parent
    std::string change_problem;            ///< why `change` is unknown although there is a parent
    Lessons lessons;
};

/// All that is known of a round of the history, which must outlive the view.
RoundView view_of(const std::filesystem::path& folder, const History& history, const Round& round);

/// The full timing of a case; null where it cannot be read.
const BenchResult* timing_of(const RoundView& view, const Case& binding);

std::string configuration_phrase(const Configuration& configuration, const Phrases& say);
std::string why_not_timed(const Round& round, const Phrases& say);

/// The best rounds, then the parameters of all rounds.
std::string summary_section(const History& history, const Phrases& say);
std::string parameter_section(std::span<const Round> rounds, const Phrases& say);

/// The project's dispatch rules; "" without one.
std::string dispatch_paragraph(const Project& project, const Phrases& say);

/// All variants of a device side by side: one table for each case; and which of generated CUDA or C++, Triton and
/// PyTorch is faster.
std::string comparison_section(std::span<const Comparison> comparisons, const Phrases& say);

/// How the newest tuning of each variant, device and case was decided, and what there was no time for; "" without one.
std::string tunings_section(const std::filesystem::path& folder, const Phrases& say);

/// By round, a line on the tuning of which it was recorded.
std::map<int, std::string> tunings_by_round(const std::filesystem::path& folder, const Phrases& say);

/// The checklist of the operator's files with its mismatches; "" without one.
std::string consistency_section(const Consistency& consistency, const Phrases& say);

/// The sections of one round.
std::string version_section(const RoundView& view, const Phrases& say);
std::string bottleneck_section(const RoundView& view, const Validated<RuleBook>& book, const Phrases& say);
std::string change_section(const RoundView& view, const Validated<RuleBook>& book, const Phrases& say);
std::string result_section(const RoundView& view, const Phrases& say);
std::string lessons_section(const RoundView& view, const Phrases& say);

/// Parts of the test result, with headings of level 4.
std::string accuracy_section(const RoundView& view, const Phrases& say);
std::string environment_section(const RoundView& view, const Phrases& say);

/// The contents of the sections on accuracy and bottleneck, without headings of their own.
std::string accuracy_tables(const RoundView& view, const Phrases& say);
std::string indicator_tables(const RoundView& view, const Validated<RuleBook>& book, const Phrases& say);

/// How much this round's speedup is above that of the last one before it that was timed, in the deciding case, where
/// both may be compared.
std::string gain_phrase(const RoundView& view, const Phrases& say);

/// The round with its full record where that can be read.
RoundDetail detail_of(const RoundView& view);

}  // namespace kernelgen
