// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/scaling/amax_view.h"

#include <algorithm>
#include <cmath>

#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"

namespace kernelgen::studio {

namespace {

QString wholeNumber(double value) { return QString::number(value, 'f', 0); }
QString amaxText(double value) { return QString::number(value, 'g', 3); }

}  // namespace

AmaxView::AmaxView(QWidget* parent) : ChartView(tr("amax and delayed scales"), parent) {}

void AmaxView::present(const DelayedRun& run) {
    steps_.clear();
    std::ranges::copy_if(run.steps, std::back_inserter(steps_),
                         [](const DelayedStep& each) { return each.amax > 0 && std::isfinite(each.covered); });
    if (steps_.empty()) return showMessage(tr("All steps are zeros"));
    redraw();
}

void AmaxView::draw() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::integers, wholeNumber);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::decimal, amaxText);
    setLabels(tr("Step"), tr("amax"));
    QCPGraph* amax = addLine(tr("amax"), QPen(seriesColour(colours(), 0), 1.6));
    QCPGraph* covered = addLine(tr("largest number that fits"), QPen(colours().good, 1.4, Qt::DashLine));
    double low = steps_.front().amax, high = low;
    for (const DelayedStep& each : steps_) {
        const auto step = static_cast<double>(each.step);
        amax->addData(step, each.amax);
        covered->addData(step, each.covered);
        low = std::min({low, each.amax, each.covered});
        high = std::max({high, each.amax, each.covered});
        addMark({.x = step,
                 .y = each.amax,
                 .axis = plot().yAxis,
                 .text = tr("Step %1: amax %2, covered up to %3")
                             .arg(each.step)
                             .arg(amaxText(each.amax), amaxText(each.covered))});
    }
    addPoints(tr("clipped"), colours().bad, &DelayedStep::is_clipped);
    addPoints(tr("anomaly"), palette().color(QPalette::Text), &DelayedStep::is_anomaly);
    const auto first = static_cast<double>(steps_.front().step), last = static_cast<double>(steps_.back().step);
    const double room = std::max(0.5, (last - first) * 0.02);
    setFit({first - room, last + room}, roomAround(low, high, 0.1));
}

QCPGraph* AmaxView::addLine(const QString& name, const QPen& pen) {
    auto* line = plot().addGraph();
    line->setName(name);
    line->setPen(pen);
    line->addToLegend();
    return line;
}

void AmaxView::addPoints(const QString& name, const QColor& colour, bool DelayedStep::* noted) {
    if (std::ranges::none_of(steps_, [&](const DelayedStep& each) { return each.*noted; })) return;
    QCPGraph* points = addLine(name, QPen(colour, 2));
    points->setLineStyle(QCPGraph::lsNone);
    const bool is_clipped = noted == &DelayedStep::is_clipped;
    points->setScatterStyle({is_clipped ? QCPScatterStyle::ssCross : QCPScatterStyle::ssCircle, QPen(colour, 2),
                             Qt::NoBrush, is_clipped ? 8.0 : 13.0});
    for (const DelayedStep& each : steps_) {
        if (each.*noted) points->addData(static_cast<double>(each.step), each.amax);
    }
}

}  // namespace kernelgen::studio
