// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/scaling/mode_errors_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "core/report/scaling_report.h"

namespace kernelgen::studio {

namespace {

constexpr double below_one_element = 0.5;  ///< where a logarithmic axis of counts begins

QString threeFigures(double value) { return QString::number(value, 'g', 3); }

}  // namespace

ModeErrorsView::ModeErrorsView(QWidget* parent) : ChartView(tr("Errors of the modes"), parent) {}

void ModeErrorsView::present(const std::vector<ModeErrors>& modes, const std::vector<int>& shown) {
    lines_.clear();
    for (const int number : shown) {
        const ModeErrors& mode = modes[static_cast<std::size_t>(number)];
        Line line{number, toQt(mode_words(mode.mode, windowPhrases())), mode.mode.is_delayed, errorData(mode.metrics)};
        if (!line.data.bins.empty()) lines_.push_back(std::move(line));
    }
    if (lines_.empty()) return showMessage(tr("All elements are stored exactly: there is no error to show"));
    redraw();
}

void ModeErrorsView::draw() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::decimal, threeFigures);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::decimal, threeFigures);
    HumanTicker::place(plot().yAxis2, HumanTicker::Scale::linear, percentText);
    setLabels({tr("Absolute error"), tr("Error")}, tr("Elements"));
    plot().yAxis2->setLabel(tr("Elements with less"));
    plot().yAxis2->setVisible(true);
    plot().yAxis2->setRange(0, 1.02);
    double from = std::numeric_limits<double>::infinity(), to = 0, most = 1;
    for (const Line& line : lines_) {
        drawLine(line);
        addMarks(line);
        from = std::min(from, line.data.bins.front().from);
        to = std::max(to, line.data.bins.back().to);
        for (const ErrorBin& each : line.data.bins) most = std::max(most, each.count);
    }
    setFit(roomAround(from, to, 0.04), {below_one_element, most * 3});
    setCaption({tr("Steps: elements; lines: share with a smaller error (right axis)"), tr("Dotted: delayed scales")});
}

void ModeErrorsView::drawLine(const Line& line) {
    const QColor colour = seriesColour(colours(), line.number);
    auto* counts = plot().addGraph();
    counts->setLineStyle(QCPGraph::lsStepLeft);
    counts->setPen(QPen(colour, 1.4, line.is_delayed ? Qt::DotLine : Qt::SolidLine));
    counts->setName(line.name);
    counts->addToLegend();
    auto* shares = plot().addGraph(plot().xAxis, plot().yAxis2);
    shares->setPen(QPen(faded(colour, 0.8), 1.2, line.is_delayed ? Qt::DotLine : Qt::DashLine));
    counts->addData(line.data.bins.front().from, below_one_element);
    shares->addData(line.data.bins.front().from, line.data.exact_share);
    for (const ErrorBin& each : line.data.bins) {
        counts->addData(each.from, std::max(each.count, below_one_element));
        shares->addData(each.to, each.cumulative);
    }
    counts->addData(line.data.bins.back().to, below_one_element);
}

void ModeErrorsView::addMarks(const Line& line) {
    for (const ErrorBin& each : line.data.bins) {
        if (each.count == 0) continue;
        addMark({.x = std::sqrt(each.from * each.to),
                 .y = each.count,
                 .axis = plot().yAxis,
                 .text = tr("%1: %L2 elements with an error from %3 to %4; %5 have less than that")
                             .arg(line.name)
                             .arg(static_cast<qint64>(each.count))
                             .arg(threeFigures(each.from), threeFigures(each.to), percentText(each.cumulative))});
    }
}

}  // namespace kernelgen::studio
