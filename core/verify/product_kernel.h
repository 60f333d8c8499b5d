// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kernelgen {

/// A tile of a product of matrices in float64: `rows` rows and `columns` columns.
struct ProductTile {
    static constexpr std::int64_t rows = 4;
    static constexpr std::int64_t columns = 16;

    double sums[rows][columns] = {};        ///< Σ_k a·b
    double magnitudes[rows][columns] = {};  ///< Σ_k |a·b|
};

/// Products that tensor cores of sm_80 add to a sum at a time: what they cut off grows with the number of such steps.
inline constexpr double products_added_together = 8;

/// Adds `depth` products to each element of the tile. `left` has the tile's rows for one k after the other, `right` its
/// columns. Uses the widest vectors that the processor has.
void add_products(const double* left, const double* right, std::int64_t depth, ProductTile& tile);

}  // namespace kernelgen
