// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/tune/tuned_columns.h"

namespace kernelgen::studio {

/// The best results for each pair of values of two tunables, whatever the others were.
struct HeatMap {
    struct Cell {
        int tried = 0, failed = 0;
        int best = -1;  ///< row of `Tuning::tried`; -1 where none succeeded
    };
    TunedColumn x, y;
    std::vector<Cell> cells;  ///< rows of y, each with all of x

    const Cell& at(std::size_t column, std::size_t row) const { return cells[row * x.values.size() + column]; }
};

/// `x` and `y` are places of the tuning's parameters.
HeatMap heatMap(const Tuning& tuning, std::size_t x, std::size_t y);

}  // namespace kernelgen::studio
