// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace kernelgen::studio {

struct PlotPoint {
    double x = 0, y = 0;
};

/// The indices, ascending, of the points of a line (with ascending x) that need to be drawn: all points in [from, to]
/// and one neighbour on each side; or, where these are more than `most`, the lowest and the highest point of each of
/// `most` / 2 equal parts.
std::vector<std::size_t> thinnedLine(std::span<const PlotPoint> points, double from, double to, std::size_t most);

/// The indices, ascending, of the points of a cloud that need to be drawn: all points; or, where these are more than
/// `most`, only points in the view, and of each cell of a grid of `columns` by `rows` the last one.
struct CloudView {
    PlotPoint low, high;
    int columns = 1, rows = 1;
};
std::vector<std::size_t> thinnedCloud(std::span<const PlotPoint> points, const CloudView& view, std::size_t most);

}  // namespace kernelgen::studio
