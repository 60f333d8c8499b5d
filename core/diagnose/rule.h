// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/diagnose/finding.h"
#include "core/diagnose/formula.h"

namespace kernelgen {

/// A sentence in both languages. "{tail_waste}" is filled with a metric's value.
struct RuleText {
    std::string en, zh;
};

/// One rule of `resources/diagnosis/*.json` (docs/DIAGNOSIS.md).
struct Rule {
    std::string id;
    FindingKind kind = FindingKind::cause;
    std::vector<std::string> devices;    ///< kinds of device; empty: all
    std::vector<std::string> languages;  ///< of variants; empty: all
    std::vector<Formula> when;           ///< all must hold
    std::vector<std::string> unless;     ///< rules whose findings explain this one: with one of them it is left out
    std::vector<Formula> gain;           ///< the first that has a value counts; without any: `headroom`
    std::vector<std::string> figures;    ///< metrics to show beside those of `when`
    Confidence confidence = Confidence::possible;
    std::vector<std::string> strategies;
    RuleText title, why, confirm;
    std::string source;  ///< of the thresholds: a paper, a manual's section, a measurement
};

/// The content of rule files.
struct RuleBook {
    std::vector<Rule> rules;
    std::map<std::string, double> goals;  ///< by metric: the value that it should exceed
};

/// The version of a rule file: raise it where an older reader would misread a newer file.
inline constexpr std::string_view rule_schema = "kernelgen.diagnosis/1";

/// One file. All errors are reported, with the path of each in the file and the nearest known key.
Validated<RuleBook> parse_rules(std::string_view text, const std::filesystem::path& file);

/// The installed files, then the user's own, `diagnosis/*.json` in the data folder; a rule or goal of the user replaces
/// the installed one. Errors: a file that cannot be read, with its name; ids given twice.
Validated<RuleBook> load_rules();

const Rule* find_rule(std::span<const Rule> rules, std::string_view id);

}  // namespace kernelgen
