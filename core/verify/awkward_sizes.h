// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/lang/body.h"
#include "core/project/variant.h"

namespace kernelgen {

/// Small cases on which kernels tend to go wrong.
struct AwkwardSizes {
    std::vector<Case> cases;  ///< at most 2^20 elements each
    int skipped = 0;          ///< that no change made fit the constraints and restrictions
};

/// Sizes of 1, primes, and one below and above each tile (the configuration's BLOCK_ values), where definition and
/// variant allow them; where only multiples are allowed (`D % 8 == 0`), multiples of those sizes. `body` may be null.
AwkwardSizes awkward_sizes(const Operator& definition, const Body* body, const Implementation& implementation,
                           DType dtype);

}  // namespace kernelgen
