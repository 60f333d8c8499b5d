// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/chart_area.h"

namespace kernelgen::studio {

ChartArea::ChartArea(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

void ChartArea::fit() {}

void ChartArea::copy() {}

void ChartArea::saveAs() {}

void ChartArea::toggleLegend() {}

}  // namespace kernelgen::studio
