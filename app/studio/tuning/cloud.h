// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "app/studio/charts/thinning.h"

namespace kernelgen::studio {

inline constexpr std::size_t most_cloud_points = 1500;  ///< that are drawn at a time

/// Points that look the same.
struct Cloud {
    QCPGraph* graph = nullptr;
    std::vector<PlotPoint> places;
};

/// Points without lines, that a plot shows; their places are added later.
Cloud addCloud(QCustomPlot& plot, const QString& name, const QCPScatterStyle& style, QCPAxis* axis);

/// Gives the graph the cloud's points. Of many points it gets those within the axes' ranges, and only one where several
/// lie at the same place.
void drawVisible(const Cloud& cloud);

}  // namespace kernelgen::studio
