// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/thinning.h"

#include <algorithm>

namespace kernelgen::studio {

std::vector<std::size_t> thinnedLine(std::span<const PlotPoint> points, double from, double to, std::size_t most) {
    auto begin = static_cast<std::size_t>(std::ranges::lower_bound(points, from, {}, &PlotPoint::x) - points.begin());
    auto end = static_cast<std::size_t>(std::ranges::upper_bound(points, to, {}, &PlotPoint::x) - points.begin());
    begin -= begin > 0 ? 1 : 0;
    end += end < points.size() ? 1 : 0;
    const std::size_t count = end > begin ? end - begin : 0;
    const std::size_t parts = count <= most ? count : std::max<std::size_t>(most / 2, 1);
    std::vector<std::size_t> kept;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = begin + count * part / parts, last = begin + count * (part + 1) / parts;
        std::size_t low = first, high = first;
        for (std::size_t i = first; i < last; ++i) {
            if (points[i].y < points[low].y) low = i;
            if (points[i].y >= points[high].y) high = i;
        }
        kept.push_back(std::min(low, high));
        if (low != high) kept.push_back(std::max(low, high));
    }
    return kept;
}

std::vector<std::size_t> thinnedCloud(std::span<const PlotPoint> points, const CloudView& view, std::size_t most) {
    std::vector<std::size_t> kept;
    if (points.size() <= most) {
        for (std::size_t i = 0; i < points.size(); ++i) kept.push_back(i);
        return kept;
    }
    const double width = view.high.x - view.low.x, height = view.high.y - view.low.y;
    const auto columns = static_cast<std::size_t>(view.columns) + 1, rows = static_cast<std::size_t>(view.rows) + 1;
    std::vector<std::size_t> last(columns * rows, points.size());  // by cell
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double across = (points[i].x - view.low.x) / width, up = (points[i].y - view.low.y) / height;
        if (!(across >= 0 && across <= 1 && up >= 0 && up <= 1)) continue;
        last[static_cast<std::size_t>(up * view.rows) * columns + static_cast<std::size_t>(across * view.columns)] = i;
    }
    for (const std::size_t each : last) {
        if (each != points.size()) kept.push_back(each);
    }
    std::ranges::sort(kept);
    return kept;
}

}  // namespace kernelgen::studio
