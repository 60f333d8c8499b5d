// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/tuning/rule_proposal.h"

namespace kernelgen {

/// Proposes dispatch rules. A rule sends cases to another variant whose recorded round is faster than the tuned
/// variant's: its newest round, or the tuned round's baseline. Both rounds need the same baseline, device and
/// environment, and intervals more than `most_lost` apart. Empty if no rule on sizes separates these cases from the
/// others.
std::vector<ProposedDispatch> faster_variants(const Project& project, const std::vector<Tuning>& tunings,
                                              const History& history);

}  // namespace kernelgen
