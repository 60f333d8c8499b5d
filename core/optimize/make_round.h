// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/optimize/engine.h"
#include "core/strategy/propose.h"

namespace kernelgen {

/// A round that was made with a strategy, not yet recorded.
struct MadeRound {
    RoundDetail detail;           ///< with `applied`: what was expected, and the gain over the round before
    std::vector<Tuning> tunings;  ///< where the strategy was a search
};

/// The implementation that tunings of its cases recommend: the winner of one case, or rules by size for several; where
/// no rules keep all near their best, the one configuration that loses least.
Result<Implementation> as_tuned(Implementation before, const std::vector<Tuning>& tunings,
                                const std::vector<std::string>& symbols);

/// Makes the next round: changes the candidate of `before` as the proposal says, after a search of at most
/// `search_seconds` where it is one, and runs it under the plan. A generated variant that the project lacks is added to
/// it. Errors: a search that found nothing, files that cannot be written, a change that does not fit.
Result<MadeRound> make_round(RunPlan& plan, const RoundDetail& before, const Proposal& proposal, OptimizeEngine& engine,
                             double search_seconds);

}  // namespace kernelgen
