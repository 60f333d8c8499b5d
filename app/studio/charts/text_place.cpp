// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/text_place.h"

#include <algorithm>

namespace kernelgen::studio {

namespace {

constexpr double mark_radius = 9;

}  // namespace

std::optional<double> placeAlong(const QLineF& line, const QSizeF& text, bool on_left,
                                 const std::vector<QPointF>& marks) {
    if (line.length() < text.width()) return {};
    const QPointF along = line.unitVector().p2() - line.p1();
    const QPointF aside = on_left ? QPointF(along.y(), -along.x()) : QPointF(-along.y(), along.x());
    std::vector<double> in_the_way;
    for (const QPointF& each : marks) {
        const double away = QPointF::dotProduct(aside, each - line.p1());
        if (away < -mark_radius || away > text.height() + mark_radius) continue;
        in_the_way.push_back(QPointF::dotProduct(along, each - line.p1()));
    }
    std::ranges::sort(in_the_way);
    double begin = 0;
    for (const double each : in_the_way) {
        if (each - mark_radius >= begin + text.width()) break;
        begin = std::max(begin, each + mark_radius);
    }
    return begin + text.width() <= line.length() ? std::optional(begin) : std::nullopt;
}

}  // namespace kernelgen::studio
