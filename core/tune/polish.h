// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "core/tune/space.h"

namespace kernelgen {

/// At the end of a search, configurations near the best are tried. Their times differ by less than the model can
/// predict, but a race can tell them apart.
inline constexpr double polish_share = 0.3;

/// Whether the next batch of at most `batch` configurations belongs to that end. `begun`: how many were begun; `left`:
/// how many the budget still allows. The end is the last `polish_share` of the search. Of a short one it is the last
/// two batches, at most two thirds: there a model learns little, and what a project has is often near the best.
bool is_time_to_polish(double begun, double left, double batch);

/// What to try at the end of a search: up to `count` configurations that differ in one parameter from the best; where
/// none is left, from the second best, and so on. `ranked`: indices, the best first. Leaves out those in `begun`.
std::vector<std::size_t> near_the_best(const TuningSpace& space, const std::vector<std::size_t>& ranked,
                                       const std::set<std::size_t>& begun, std::size_t count);

}  // namespace kernelgen
