// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen::studio {

/// A configuration that is drawn as a line through its values.
struct ParallelLine {
    int row = 0;      ///< of `Tuning::tried`
    double rank = 0;  ///< among all that succeeded: 0 the best, 1 the worst
};

/// The configurations that succeeded, the worst first; where they are more than `most`, the best half of `most`, and
/// evenly by rank as many of the others.
std::vector<ParallelLine> parallelLines(const Tuning& tuning, std::size_t most);

}  // namespace kernelgen::studio
