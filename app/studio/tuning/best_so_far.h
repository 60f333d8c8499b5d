// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen::studio {

/// A result that was better than all before it.
struct BestStep {
    double seconds = 0;    ///< of the tuning, when it was known
    double objective = 0;  ///< lower is better
    int row = 0;           ///< of `Tuning::tried`
};

/// The best results so far in the order of time, each better than the one before.
std::vector<BestStep> bestSoFar(const Tuning& tuning);

}  // namespace kernelgen::studio
