// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "core/diagnose/rule.h"
#include "core/report/phrases.h"
#include "core/round/history.h"

namespace kernelgen {

/// What a round's strategy was and came to, in words: the same for the window, the command line and the log.
struct AppliedWords {
    std::string strategy;  ///< "larger tiles (larger_tile): BLOCK_M 16 → 32"
    std::string why;
    std::string finding;   ///< "tiles are tiny (`tiny_tile`), found in round 3"; "" where no finding asked for it
    std::string expected;  ///< "1.050× [0.970, 1.200], from what it gained before"
    std::string outcome;   ///< "1.120× [1.100, 1.140] over round 3: it gained; as expected"
    std::string next;      ///< the strategy that promised most afterwards; or why the optimization ended
};
/// `rules` tell the findings' titles; without its rule a finding has its id.
AppliedWords words_of(const Round& round, std::span<const Rule> rules, const Phrases& say);

std::string words_of(GainSource source, const Phrases& say);
std::string words_of(const Gain& gain, const Phrases& say);  ///< "1.050× [0.970, 1.200]"

/// The lessons that follow from what happened; empty where the round was made without a strategy.
Lessons lessons_of(const Round& round, const Phrases& say);

}  // namespace kernelgen
