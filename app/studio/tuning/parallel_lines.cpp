// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/parallel_lines.h"

#include <algorithm>

namespace kernelgen::studio {

std::vector<ParallelLine> parallelLines(const Tuning& tuning, std::size_t most) {
    std::vector<int> rows;
    for (std::size_t row = 0; row < tuning.tried.size(); ++row) {
        if (tuning.tried[row].is_ok()) rows.push_back(static_cast<int>(row));
    }
    std::ranges::stable_sort(rows, {}, [&](int row) { return tuning.tried[static_cast<std::size_t>(row)].objective; });
    const std::size_t count = rows.size(), best = std::min(count, count <= most ? count : most / 2);
    const std::size_t others = std::min(most, count) - best;
    std::vector<ParallelLine> lines;
    const auto take = [&](std::size_t place) {
        lines.push_back({rows[place], count > 1 ? static_cast<double>(place) / static_cast<double>(count - 1) : 0});
    };
    for (std::size_t i = 0; i < best; ++i) take(i);
    for (std::size_t i = 0; i < others; ++i) take(best + (count - best) * (i + 1) / others - 1);
    std::ranges::reverse(lines);
    return lines;
}

}  // namespace kernelgen::studio
