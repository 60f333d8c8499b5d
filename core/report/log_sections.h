// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/report/phrases.h"
#include "core/round/best.h"
#include "core/round/comparison.h"
#include "core/round/history.h"

namespace kernelgen {

/// A round as the log tells it: all that is recorded of it, or the summary where the full record cannot be read.
struct RoundView {
    Round round;
    std::optional<RoundDetail> detail;
    std::string detail_problem;            ///< why there is no detail
    const Round* compared_with = nullptr;  ///< what its gain is over, where the history has it
    std::optional<Change> change;          ///< since the parent
    std::string change_problem;            ///< why it is not known, where there is a parent
    Lessons lessons;
};

/// The full timing of a case, or null where it cannot be read.
const BenchResult* timing_of(const RoundView& view, const Case& binding);

std::string configuration_phrase(const Configuration& configuration, const Phrases& say);
std::string why_not_timed(const Round& round, const Phrases& say);

/// Best rounds, then the parameters over rounds.
std::string summary_section(const History& history, const Phrases& say);
std::string parameter_section(std::span<const Round> rounds, const Phrases& say);

/// All variants of a device side by side: a table a case, and of generated CUDA or C++, Triton and PyTorch who is
/// faster.
std::string comparison_section(std::span<const Comparison> comparisons, const Phrases& say);

/// The checklist of the operator's files, with what does not agree; "" without one.
std::string consistency_section(const Consistency& consistency, const Phrases& say);

/// The sections of one round.
std::string version_section(const RoundView& view, const Phrases& say);
std::string bottleneck_section(const RoundView& view, const Phrases& say);
std::string change_section(const RoundView& view, const Phrases& say);
std::string result_section(const RoundView& view, const Phrases& say);
std::string lessons_section(const Lessons& lessons, const Phrases& say);

/// Parts of the test result.
std::string accuracy_section(const RoundView& view, const Phrases& say);

}  // namespace kernelgen
