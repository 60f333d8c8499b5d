// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnose/finding.h"
#include "core/diagnose/indicators.h"
#include "core/diagnose/rule.h"
#include "core/report/phrases.h"

namespace kernelgen {

/// A finding in words, the same for the window, the command line and the log.
struct FindingWords {
    std::string title;                 ///< "Time is lost in a partial last wave"
    std::string gain;                  ///< "the most that mending it can gain: 1.32×", or why that cannot be told
    std::string why;                   ///< a sentence or two, with the numbers
    std::vector<std::string> figures;  ///< "Time lost to the last wave 24.0 % (limit 5.0 %, measured by timing)"
    std::string confidence;
    std::string confirm;  ///< what would confirm it
    std::string where;    ///< "bias_add.cu:12, 14", or ""
    std::string source;   ///< of the rule's thresholds
};
FindingWords words_of(const Finding& finding, const Evidence& evidence, std::span<const Rule> rules,
                      const Phrases& say);

/// The title of a rule without the numbers of one finding; "" where no rule has this id, or its title has such numbers.
std::string title_of_finding(std::string_view id, std::span<const Rule> rules, const Phrases& say);

/// One sentence for all that lack for the same reason: "Cache hit rate, bytes moved: why, and what would measure them"
std::vector<std::string> words_of(std::span<const MissingEvidence> missing, const Phrases& say);

/// A sentence or two about another layout of an input.
std::string words_of(const LayoutAdvice& advice, const Phrases& say);

/// The cells of an indicator: name, measured, goal, whether it is reached, or why it cannot be.
std::vector<std::string> words_of(const Indicator& indicator, const Phrases& say);

}  // namespace kernelgen
