// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/lang/operator.h"
#include "core/project/configuration.h"

namespace kernelgen {

/// The most that a proposed rule may lose against a case's own best: what is less is noise.
inline constexpr double most_lost = 0.01;

/// What is known of one case: the objectives (lower is better) of the configurations that are right there, which can be
/// compared with each other.
struct MeasuredCase {
    Case binding;
    Configuration present;  ///< that the project has there
    std::map<Configuration, double> objectives;
};

/// What a proposed rule means for a case.
struct ProposedCase {
    std::string name;
    double loss = 0;                     ///< against the case's own best: 0.01 is 1 %
    std::optional<double> over_present;  ///< how many times better than the present configuration, where that is known
    std::optional<double> over_otherwise;  ///< how many times better than what counts without the rule
};

/// A configuration for the cases on which a condition holds; with an empty condition for those on which none does.
struct ProposedRule {
    std::string when;
    Configuration configuration;
    std::vector<ProposedCase> cases;
};

/// The shortest list of rules by which no case loses more than `most_lost`; the last one has no condition. A
/// configuration is proposed only for cases on which it was measured. Nothing where there is no such list (see `cover`
/// in core/tune/rule_cover.h). `symbols`: of the definition, in order.
std::optional<std::vector<ProposedRule>> propose_rules(const std::vector<MeasuredCase>& cases,
                                                       const std::vector<std::string>& symbols);

/// The rules as a project has them: those of `kept` first, which have all values, then the proposed ones with a
/// condition. What is as where no rule holds is left out.
std::vector<ConfigurationRule> configuration_rules(const std::vector<ConfigurationRule>& kept,
                                                   const std::vector<ProposedRule>& proposed);

}  // namespace kernelgen
