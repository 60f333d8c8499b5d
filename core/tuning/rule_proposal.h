// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/round/history.h"
#include "core/tune/proposal.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// A dispatch rule that is proposed, with the cases on which it counts.
struct ProposedDispatch {
    DispatchRule rule;
    std::vector<std::string> cases;
    std::vector<double> over_tuned;  ///< for each case: at least so many times faster than the tuned variant
};

/// What the tunings of one command propose for a project.
struct RuleProposal {
    std::string variant, device;
    std::vector<int> tunings;
    std::vector<Case> cases;                 ///< of the tunings
    std::vector<ProposedRule> rules;         ///< the last one has no condition
    std::vector<ProposedDispatch> dispatch;  ///< where another variant is faster by recorded rounds
    std::vector<ConfigurationRule> kept;     ///< the variant's rules that hold on none of the cases, with all values
    std::size_t replaced = 0;                ///< the other rules that the variant has now
};

/// The tunings of the command to which tuning `number` belongs, in the order of their numbers. Errors: no such tuning;
/// one of its cases has not ended, or nothing was right there.
Result<std::vector<Tuning>> tunings_of_command(const std::filesystem::path& project_folder, int number);

/// The rules by which each of these tunings' cases is near its own best; nothing where there are none.
std::optional<std::vector<ProposedRule>> rules_of(const std::vector<Tuning>& tunings,
                                                  const std::vector<std::string>& symbols);

/// The rules for the cases of these tunings. Errors: the variant is gone, or its sources, tunables or symbols have
/// changed since; no list of rules keeps every case within `most_lost` of its best.
Result<RuleProposal> rules_from(const Project& project, const std::vector<Tuning>& tunings, const History& history);

/// The same, with the project's recorded rounds. Further errors: those cannot be read.
Result<RuleProposal> proposed_rules(const Project& project, const std::vector<Tuning>& tunings);

}  // namespace kernelgen
