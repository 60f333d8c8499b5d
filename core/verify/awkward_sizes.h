// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/lang/body.h"
#include "core/project/variant.h"

namespace kernelgen {

/// Small cases, of at most 2^20 elements, on which kernels often fail.
struct AwkwardSizes {
    std::vector<Case> cases;
    std::vector<Case> further;  ///< with fewer checks: one tile, two tiles plus one, long sizes, sizes of own cases
    int skipped = 0;            ///< the number of `cases` that could not satisfy the constraints and restrictions
};

/// Chooses for every symbol the sizes 1, primes, and one below and one above each tile. Tiles are the divisors of the
/// symbol in a grid, or else the configuration's BLOCK_ values, of all configurations by case; where a rule's condition
/// names a symbol, its numbers count as tiles. All sizes satisfy the definition's constraints and the
/// variant's restrictions: where only multiples are allowed (`D % 8 == 0`), multiples of these sizes are used; where
/// other symbols are fixed, the sizes that they have in `own` cases. No case has the sizes of an own case. `body` may
/// be null.
AwkwardSizes awkward_sizes(const Operator& definition, const Body* body, const Implementation& implementation,
                           DType dtype, std::span<const Case> own = {});

/// A case of these sizes, named after them, where all constraints and restrictions hold and it has at most 2^20
/// elements; else nothing.
std::optional<Case> allowed_case(const Operator& definition, const Body* body, const Implementation& implementation,
                                 DType dtype, const Sizes& sizes);

}  // namespace kernelgen
