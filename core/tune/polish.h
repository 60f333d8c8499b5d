// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "core/tune/space.h"

namespace kernelgen {

/// What to try at the end of a search: up to `count` configurations that differ in one parameter from the best; where
/// none is left, from the second best, and so on. `ranked`: indices, the best first. Leaves out those in `begun`.
std::vector<std::size_t> near_the_best(const TuningSpace& space, const std::vector<std::size_t>& ranked,
                                       const std::set<std::size_t>& begun, std::size_t count);

}  // namespace kernelgen
