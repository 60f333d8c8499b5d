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

}  // namespace

Cloud addCloud(QCustomPlot& plot, const QString& name, const QCPScatterStyle& style, QCPAxis* axis) {
    QCPGraph* graph = plot.addGraph(plot.xAxis, axis);
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
