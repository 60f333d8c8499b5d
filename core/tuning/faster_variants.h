// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/tuning/rule_proposal.h"

namespace kernelgen {

/// Dispatch rules for the cases on which another variant of the device is faster than the tuned one by the recorded
/// rounds, each against the tuned variant's own round of its tuning: the baseline of that round, and variants whose
/// newest round had the same baseline, device and environment. The whole intervals must be apart by more than
/// `most_lost`. None where no rules on sizes tell these cases from the others.
std::vector<ProposedDispatch> faster_variants(const Project& project, const std::vector<Tuning>& tunings,
                                              const History& history);

}  // namespace kernelgen
