// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/tune/searcher.h"

namespace kernelgen {

/// Goes from a random configuration to the first neighbour that is better, until none is; then starts elsewhere.
std::unique_ptr<Searcher> make_local_searcher(const TuningSpace& space, const SearchOptions& options);

/// Begins with a coarse grid: of each parameter the first value, the last, and every other one between. Then come the
/// neighbours of its best fifth, the best first, and those of the better ones that are found so. Where none is left,
/// the rest is tried at random.
std::unique_ptr<Searcher> make_coarse_to_fine_searcher(const TuningSpace& space, const SearchOptions& options);

}  // namespace kernelgen
