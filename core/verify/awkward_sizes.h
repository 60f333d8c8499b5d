// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/lang/body.h"
#include "core/project/variant.h"

namespace kernelgen {

/// Small cases on which kernels tend to go wrong, at most 2^20 elements each.
struct AwkwardSizes {
    std::vector<Case> cases;
    std::vector<Case> further;  ///< for which fewer checks do: a tile, two and one more, long ones, own ones
    int skipped = 0;            ///< of `cases`: that no change made fit the constraints and restrictions
};

/// Sizes of 1, primes, and one below and above each tile that a symbol is cut by (in a grid; else the configuration's
/// BLOCK_ values), for every symbol, where definition and variant allow them. Where only multiples are allowed
/// (`D % 8 == 0`), multiples of those sizes; where other symbols are fixed, the sizes that `own` cases have there.
/// None has the sizes of an own case. `body` may be null.
AwkwardSizes awkward_sizes(const Operator& definition, const Body* body, const Implementation& implementation,
                           DType dtype, std::span<const Case> own = {});

}  // namespace kernelgen
