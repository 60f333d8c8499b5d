// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/lang/operator.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The beginning of a call of several launches, as an operator of its own: its output is a workspace buffer that has
/// the name of a value of the body, and its variant ends with a launch that takes this buffer.
struct LaunchStage {
    std::size_t launch = 0;  ///< the last of the stage, from 0
    std::string workspace;
    Operator definition;
    Implementation candidate;
};

/// The stages of a candidate on cases of `dtype`: for each buffer, in the order in which launches take them first, one
/// for each launch that takes it. A buffer makes none where the body has no value of its name, or one of another shape:
/// `shape` of such a buffer names symbols and integers, and a reduction may have its last axis, of size 1, or not. Nor
/// where inputs that only later launches take stand before others: tests would make those others anew. None without a
/// body.
std::vector<LaunchStage> launch_stages(const Operator& definition, const Implementation& candidate, DType dtype);

}  // namespace kernelgen
