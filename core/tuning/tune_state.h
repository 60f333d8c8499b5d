// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuning/tune.h"

namespace kernelgen {

/// Counts the results, and takes the times of the incumbent and of the best by the objective. That of the best is to
/// the incumbent's as in their race, for by the times alone a configuration that ran in a quiet moment would seem
/// better.
void take_results(TuneState& state, const Tuning& tuning);

}  // namespace kernelgen
