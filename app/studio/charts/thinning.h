// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace kernelgen::studio {

struct PlotPoint {
    double x = 0, y = 0;
};

/// Indices, ascending, of what to draw of a line whose x ascend: everything within [from, to] and one neighbour on each
/// side or, where that is more than `most`, the lowest and the highest of each of `most` / 2 equal parts.
std::vector<std::size_t> thinnedLine(std::span<const PlotPoint> points, double from, double to, std::size_t most);

/// Indices, ascending, of what to draw of a cloud: everything or, where that is more than `most`, of what lies in one
/// cell of a grid of `columns` by `rows` over the view the last. What lies outside the view is left out then.
struct CloudView {
    PlotPoint low, high;
    int columns = 1, rows = 1;
};
std::vector<std::size_t> thinnedCloud(std::span<const PlotPoint> points, const CloudView& view, std::size_t most);

}  // namespace kernelgen::studio
