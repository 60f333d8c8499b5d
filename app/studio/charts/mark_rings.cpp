// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/mark_rings.h"

namespace kernelgen::studio {

namespace {

constexpr double selected_radius = 7, hovered_radius = 5.5;

}  // namespace

QPointF Mark::pixel() const { return {axis->parentPlot()->xAxis->coordToPixel(x), axis->coordToPixel(y)}; }

std::optional<int> Mark::id() const {
    if (round != nullptr) return round->number;
    return row >= 0 ? std::optional(row) : std::nullopt;
}

MarkRings::MarkRings(QCustomPlot* plot) : QCPAbstractItem(plot) { setSelectable(false); }

double MarkRings::selectTest(const QPointF& /*at*/, bool /*only_selectable*/, QVariant* /*details*/) const {
    return -1;
}

void MarkRings::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    painter->setBrush(Qt::NoBrush);
    if (guided && !selected.empty()) {
        const double x = selected.front().pixel().x();
        const QRect area = clipRect();
        QColor faint = colour;
        faint.setAlphaF(0.45F);
        painter->setPen(QPen(faint, 1));
        painter->drawLine(QLineF(x, area.top(), x, area.bottom()));
    }
    painter->setPen(QPen(colour, 2));
    for (std::size_t i = 1; joined && i < selected.size(); ++i)
        painter->drawLine(QLineF(selected[i - 1].pixel(), selected[i].pixel()));
    for (const Mark& each : selected) painter->drawEllipse(each.pixel(), selected_radius, selected_radius);
    if (hovered) painter->drawEllipse(hovered->pixel(), hovered_radius, hovered_radius);
}

}  // namespace kernelgen::studio
