// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "core/diagnose/diagnose.h"
#include "core/report/phrases.h"
#include "core/round/history.h"

namespace kernelgen::cli {

/// A recorded round with the diagnoses of its timed cases, and the rules that made them.
struct DiagnosedRound {
    RoundDetail detail;
    std::vector<Diagnosis> cases;
    RuleBook book;
    /// The strategies that `run --apply` would take; nothing where it would begin from another round.
    std::optional<std::vector<std::string>> applicable;
};

/// What a reader enters to make the next round with a strategy.
using ApplyText = std::function<std::string(const std::string& strategy)>;

/// `round`: its number, or the newest. `cases`: the names of those that are told; empty: all. Errors: rules that cannot
/// be read, no such round, no such case, a round in which nothing was timed.
Validated<DiagnosedRound> diagnosed_round(const Project& project, std::optional<int> round,
                                          const std::vector<std::string>& cases);

/// The findings in order of gain, the indicators against their goals, and what was not measured.
void print_diagnosis(std::ostream& out, const DiagnosedRound& round, const ApplyText& apply, const Phrases& say);

nlohmann::ordered_json diagnosis_document(const DiagnosedRound& round, const Phrases& say);

}  // namespace kernelgen::cli
