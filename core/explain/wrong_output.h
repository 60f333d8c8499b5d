// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/explain/cause.h"
#include "core/explain/replay.h"
#include "core/lang/body.h"
#include "core/project/project.h"

namespace kernelgen {

/// The size of the pieces into which a tile cuts an axis, and its name in the variant.
struct Tile {
    std::string name;  ///< a tunable's name, or the number as written
    std::int64_t size = 0;

    bool operator==(const Tile&) const = default;
};

/// The tiles of an output's rows and columns, the likeliest first: those that a launch's grid divides the axis by, then
/// the other tunables above 1.
struct Tiles {
    std::vector<Tile> rows, columns;
    bool are_rows_known = false, are_columns_known = false;  ///< whether the first of each is of a grid
};
Tiles tiles_of(const Implementation& implementation, const Tensor& output);

/// Everything that causes are found from. All references must outlive it.
struct WrongOutput {
    const Operator& definition;
    const Body* body;  ///< null where the definition has none
    const Implementation& candidate;
    const Replay& failing;  ///< the check that failed
    /// A check in which causes can be told apart, as a rule with ordinary values and several rows and columns; it may
    /// be `failing` itself.
    const Replay& typical;
    std::vector<SizeOutcome> sizes;  ///< what happened on other sizes
};

/// The likely causes of a wrong result, the likeliest first; at most 6, and none with a confidence below 0.2. Pure: the
/// same evidence gives the same causes.
Causes find_causes(const WrongOutput& evidence);

}  // namespace kernelgen
