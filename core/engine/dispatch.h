// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/engine/run.h"

namespace kernelgen {

/// The plan's cases by the variants in which the project's dispatch rules run them: a plan for each such variant, in
/// the order of the cases, which says in its remarks what rules sent it. The plan alone where its options name a
/// variant, sources from elsewhere, or values of tunables, which are its own variant's. `plan.candidate` has the
/// device's numbers. Errors: the sources of a variant that cannot be read.
Validated<std::vector<RunPlan>> dispatched(const RunPlan& plan);

}  // namespace kernelgen
