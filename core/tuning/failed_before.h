// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

#include "core/tuning/case_space.h"

namespace kernelgen {

/// Which tunings of a project are asked what did not build.
struct EarlierTunings {
    std::string environment;                       ///< fingerprint: others' compilers may build it
    int oldest = 0;                                ///< a number
    int before = std::numeric_limits<int>::max();  ///< a number
};

/// A hash of the headers that come with kernelgen: builds of another version's may end otherwise.
std::string own_headers_hash();

/// Leaves out configurations of the space that did not build in an earlier tuning, where they would not build now
/// either: the variant, its sources and its definition, kernelgen's own headers, the device, the environment and the
/// dtype were the same, and the failure cannot depend on what else goes on or on the sizes, unless these were the same,
/// too. The present configuration stays. `plan` has one case, and `made` is its space.
void leave_out_failed(const RunPlan& plan, const EarlierTunings& earlier, CaseSpace& made);

}  // namespace kernelgen
