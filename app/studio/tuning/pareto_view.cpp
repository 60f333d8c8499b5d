// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/pareto_view.h"

#include <algorithm>
#include <cmath>

#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"

namespace kernelgen::studio {

namespace {

constexpr double front_mark = 7, other_mark = 4, incumbent_mark = 11;
constexpr double front_width = 1.8;

struct Extent {
    double least = HUGE_VAL, most = 0;

    void take(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

}  // namespace

ParetoView::ParetoView(QWidget* parent) : TuningView(tr("Time against memory or energy"), parent) {}

void ParetoView::setCost(TriedCost cost) {
    if (cost == cost_) return;
    cost_ = cost;
    forgetZoom();
}

QString ParetoView::prepare() {
    const QString missing = TuningView::prepare();
    if (!missing.isEmpty()) return missing;
    front_ = pareto_front(tuning().tried, cost_);
    const auto costs = [this](const Tried& each) { return has_cost(each, cost_) && each.*cost_ > 0; };
    return std::ranges::any_of(tuning().tried, costs) ? QString() : whatIsMissing();
}

QString ParetoView::whatIsMissing() const {
    if (cost_ == &Tried::energy_joules)
        return tr("No energy was measured: start a tuning on a GPU with an objective such as \"0.7 time 0.3 energy\"");
    return tr("No configuration takes workspace or shared memory: the fastest is the best");
}

void ParetoView::placeAxes() {
    Extent seconds, costs;
    for (const Tried& each : tuning().tried) {
        if (!has_cost(each, cost_)) continue;
        seconds.take(each.seconds);
        costs.take(each.*cost_);
    }
    const bool of_memory = cost_ == &Tried::memory_bytes;
    const bool logarithmic = costs.least > 0;  // none at all has no logarithm
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::decimal, secondsText);
    HumanTicker::place(plot().yAxis,
                       !of_memory    ? HumanTicker::Scale::decimal
                       : logarithmic ? HumanTicker::Scale::binary
                                     : HumanTicker::Scale::bytes,
                       of_memory ? bytesText : joulesText);
    setLabels({tr("Time of one call"), tr("Time")}, of_memory
                                                        ? AxisTitle(tr("Workspace and shared memory"), tr("Memory"))
                                                        : AxisTitle(tr("Energy of one call"), tr("Energy")));
    setFit(roomAround(seconds.least, seconds.most, 0.06),
           logarithmic ? roomAround(costs.least, costs.most, 0.08) : QCPRange(-0.05 * costs.most, 1.08 * costs.most));
}

void ParetoView::mark(std::size_t row) {
    const Tried& each = tuning().tried[row];
    addMark({.x = each.seconds, .y = each.*cost_, .axis = plot().yAxis, .row = static_cast<int>(row)});
}

void ParetoView::drawOthers() {
    const QCPScatterStyle ring(QCPScatterStyle::ssCircle, QPen(colours().muted, 1), Qt::NoBrush, other_mark);
    Cloud& others = clouds_.emplace_back(addCloud(plot(), tr("all that succeeded"), ring, plot().yAxis));
    for (std::size_t row = 0; row < tuning().tried.size(); ++row) {
        const Tried& each = tuning().tried[row];
        if (!has_cost(each, cost_)) continue;
        others.places.push_back({each.seconds, each.*cost_});
        mark(row);
    }
    others.graph->addToLegend();
}

void ParetoView::drawFront() {
    const QColor colour = seriesColour(colours(), 0);
    auto* line = plot().addGraph();
    line->setLineStyle(QCPGraph::lsStepLeft);
    line->setPen(QPen(colour, front_width));
    line->setScatterStyle(groupMark(0, colour, front_mark));
    line->setName(tr("Pareto front"));
    line->addToLegend();
    for (const std::size_t row : front_) {
        line->addData(tuning().tried[row].seconds, tuning().tried[row].*cost_);
        mark(row);  // above the others: of marks at one place the last counts
    }
}

void ParetoView::drawIncumbent() {
    const Tried* found = incumbent();
    if (found == nullptr || !has_cost(*found, cost_)) return;
    auto* graph = plot().addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(
        {QCPScatterStyle::ssDiamond, QPen(palette().color(QPalette::Text), 1.5), Qt::NoBrush, incumbent_mark});
    graph->setName(tr("the configuration before"));
    graph->addToLegend();
    graph->addData(found->seconds, (*found).*cost_);
}

void ParetoView::draw() {
    clouds_.clear();  // their graphs are gone
    placeAxes();
    drawOthers();
    drawFront();
    drawIncumbent();
    setCaption({front_.size() == 1 ? tr("One configuration is best in both")
                                   : tr("No configuration beats those on the line in both")});
}

void ParetoView::rangeChanged() {
    for (const Cloud& each : clouds_) drawVisible(each);
}

}  // namespace kernelgen::studio
