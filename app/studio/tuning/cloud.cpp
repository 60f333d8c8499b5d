// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/cloud.h"

#include <cmath>

namespace kernelgen::studio {

namespace {

constexpr int cloud_columns = 120, cloud_rows = 60;

/// Where a value stands on an axis, up to a factor.
double placeOn(const QCPAxis& axis, double value) {
    return axis.scaleType() == QCPAxis::stLogarithmic ? std::log(value) : value;
}

/// A picture of a point, which stands in its middle. `ratio`: pixels of the screen to one of the plot.
QPixmap stampOf(const QCPScatterStyle& style, double ratio) {
    const double half = std::ceil((style.size() + style.pen().widthF()) / 2) + 1;
    QPixmap stamp(QSizeF(2 * half * ratio, 2 * half * ratio).toSize());
    stamp.setDevicePixelRatio(ratio);
    stamp.fill(Qt::transparent);
    QCPPainter painter(&stamp);
    painter.setAntialiasing(true);
    style.applyTo(&painter, style.pen());
    style.drawShape(&painter, half, half);
    return stamp;
}

/// On the screen each point is a copy of one picture, in a fraction of the time that as many shapes take. Files get
/// shapes.
class CloudGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& points,
                         const QCPScatterStyle& style) const override {
        if (painter->modes() != QCPPainter::pmDefault) return QCPGraph::drawScatterPlot(painter, points, style);
        const QPixmap stamp = stampOf(style, painter->device()->devicePixelRatioF());
        const QSizeF half = stamp.deviceIndependentSize() / 2;
        for (const QPointF& each : points)
            painter->drawPixmap(QPointF(std::round(each.x()) - half.width(), std::round(each.y()) - half.height()),
                                stamp);
    }
};

}  // namespace

Cloud addCloud(QCustomPlot& plot, const QString& name, const QCPScatterStyle& style, QCPAxis* axis) {
    auto* graph = new CloudGraph(plot.xAxis, axis);  // which belongs to the plot from now on
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setAdaptiveSampling(false);
    graph->setScatterStyle(style);
    graph->setName(name);
    return {graph, {}};
}

void drawVisible(const Cloud& cloud) {
    const QCPAxis &across = *cloud.graph->keyAxis(), &up = *cloud.graph->valueAxis();
    const QCPRange x = across.range(), y = up.range();
    std::vector<PlotPoint> places = cloud.places;
    for (PlotPoint& each : places) each = {placeOn(across, each.x), placeOn(up, each.y)};
    const CloudView view{{placeOn(across, x.lower), placeOn(up, y.lower)},
                         {placeOn(across, x.upper), placeOn(up, y.upper)},
                         cloud_columns,
                         cloud_rows};
    QVector<QCPGraphData> shown;
    for (const std::size_t i : thinnedCloud(places, view, most_cloud_points))
        shown.append({cloud.places[i].x, cloud.places[i].y});
    cloud.graph->data()->set(shown, false);
}

}  // namespace kernelgen::studio
