// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/heat_map.h"

namespace kernelgen::studio {

HeatMap heatMap(const Tuning& tuning, std::size_t x, std::size_t y) {
    HeatMap map{column_of(tuning, x), column_of(tuning, y), {}};
    map.cells.resize(map.x.values.size() * map.y.values.size());
    for (std::size_t row = 0; row < tuning.tried.size(); ++row) {
        const Tried& each = tuning.tried[row];
        HeatMap::Cell& cell = map.cells[map.y.places[row] * map.x.values.size() + map.x.places[row]];
        ++cell.tried;
        if (!each.is_ok()) {
            ++cell.failed;
        } else if (cell.best < 0 || each.objective < tuning.tried[static_cast<std::size_t>(cell.best)].objective) {
            cell.best = static_cast<int>(row);
        }
    }
    return map;
}

}  // namespace kernelgen::studio
