// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/strategy/propose.h"

namespace kernelgen {

/// Proposals whose gain recorded rounds tell already: the baseline for a case on which it is faster, and for a case the
/// configuration of another round that was faster there. Each is for one case.
std::vector<Proposal> proposals_of_rounds(const Situation& situation);

}  // namespace kernelgen
