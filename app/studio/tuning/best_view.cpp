// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/best_view.h"

#include <algorithm>

#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/tuning/best_so_far.h"
#include "app/studio/tuning/tuning_words.h"

namespace kernelgen::studio {

namespace {

constexpr double step_mark = 6, step_width = 1.8;

}  // namespace

BestView::BestView(QWidget* parent) : TuningView(tr("Best so far"), parent) {}

void BestView::draw() {
    const std::vector<BestStep> steps = bestSoFar(tuning());
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::linear, secondsText);
    placeObjective(plot().yAxis);
    setLabels(tr("Time of the tuning"), objectiveAxis());
    double until = 0;
    for (const Tried& each : tuning().tried) until = std::max(until, each.elapsed_seconds);
    until = std::max(until, 1.0);
    drawIncumbent(until);
    auto* line = plot().addGraph();
    const QColor colour = seriesColour(colours(), 0);
    line->setLineStyle(QCPGraph::lsStepLeft);
    line->setPen(QPen(colour, step_width));
    line->setScatterStyle(groupMark(0, colour, step_mark));
    line->setName(tr("best so far"));
    line->addToLegend();
    for (const BestStep& each : steps) {
        line->addData(each.seconds, each.objective);
        addMark({.x = each.seconds, .y = each.objective, .axis = plot().yAxis, .row = each.row});
    }
    auto* end = plot().addGraph();
    end->setPen(QPen(colour, step_width));
    end->setData({steps.back().seconds, until}, {steps.back().objective, steps.back().objective});
    double low = steps.back().objective, high = steps.front().objective;
    if (const Tried* before = incumbent()) high = std::max(high, before->objective);
    setFit({-0.02 * until, 1.04 * until}, roomAround(low, high, 0.15));
}

/// A level line, with its name in the legend.
void BestView::drawIncumbent(double until) {
    const Tried* found = incumbent();
    if (found == nullptr) return;
    auto* level = plot().addGraph();
    level->setPen(QPen(colours().muted, 1.2, Qt::DashLine));
    level->setData({0, until}, {found->objective, found->objective});
    level->setName(tr("the configuration before"));
    level->addToLegend();
}

}  // namespace kernelgen::studio
