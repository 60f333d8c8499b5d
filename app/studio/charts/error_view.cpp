// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/error_view.h"

#include <algorithm>
#include <cmath>

#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"

namespace kernelgen::studio {

namespace {

constexpr double less_than_one = 0.5;  ///< where a logarithmic axis of counts begins

QString scientific(double value) { return QString::number(value, 'g', 3); }

}  // namespace

ErrorView::ErrorView(QWidget* parent) : ChartView(tr("Error histogram"), parent) {}

void ErrorView::present(const CaseAccuracy& accuracy, int number) {
    number_ = number;
    metrics_ = accuracy.metrics;
    data_ = errorData(metrics_);
    if (!data_.bins.empty()) return redraw();
    showMessage(metrics_.exact > 0 ? tr("All %L1 elements are exact: there is no error to show").arg(metrics_.exact)
                                   : tr("This check judged no element"));
}

void ErrorView::draw() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::decimal, scientific);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::decimal, scientific);
    HumanTicker::place(plot().yAxis2, HumanTicker::Scale::linear, percentText);
    setLabels({tr("Absolute error"), tr("Error")}, tr("Elements"));
    plot().yAxis2->setLabel(tr("Elements with less"));
    plot().yAxis2->setVisible(true);
    plot().yAxis2->setRange(0, 1.02);
    drawCounts();
    drawShares();
    drawQuantile(metrics_.p50_absolute, QStringLiteral("p50"), Qt::SolidLine, 0);
    drawQuantile(metrics_.p90_absolute, QStringLiteral("p90"), Qt::DashLine, 1);
    drawQuantile(metrics_.p99_absolute, QStringLiteral("p99"), Qt::DotLine, 2);
    double most = 1;
    for (const ErrorBin& each : data_.bins) most = std::max(most, each.count);
    setFit(roomAround(data_.bins.front().from, data_.bins.back().to, 0.04), {less_than_one, most * 3});
    setCaption({tr("%1 of %L2 elements exact").arg(percentText(data_.exact_share)).arg(metrics_.elements),
                tr("Largest error %1").arg(scientific(metrics_.max_absolute)),
                tr("%L1 mismatches").arg(metrics_.mismatches)});
}

void ErrorView::drawCounts() {
    auto* counts = plot().addGraph();
    counts->setLineStyle(QCPGraph::lsStepLeft);
    const QColor colour = seriesColour(colours(), number_);
    counts->setPen(QPen(colour, 1.4));
    counts->setBrush(faded(colour, 0.25));
    counts->setName(tr("elements"));
    counts->addToLegend();
    counts->addData(data_.bins.front().from, less_than_one);
    for (const ErrorBin& each : data_.bins) {
        counts->addData(each.from, each.count > 0 ? each.count : less_than_one);
        if (each.count == 0) continue;
        addMark({.x = std::sqrt(each.from * each.to),
                 .y = each.count,
                 .axis = plot().yAxis,
                 .text = tr("%L1 elements with an error from %2 to %3; %4 have less than that")
                             .arg(static_cast<qint64>(each.count))
                             .arg(scientific(each.from), scientific(each.to), percentText(each.cumulative))});
    }
    counts->addData(data_.bins.back().to, less_than_one);
}

void ErrorView::drawShares() {
    auto* shares = plot().addGraph(plot().xAxis, plot().yAxis2);
    shares->setPen(QPen(palette().color(QPalette::Text), 1.6));
    shares->setName(tr("share of elements with less (right axis)"));
    shares->addToLegend();
    shares->addData(data_.bins.front().from, data_.exact_share);
    for (const ErrorBin& each : data_.bins) shares->addData(each.to, each.cumulative);
}

void ErrorView::drawQuantile(double error, const QString& name, Qt::PenStyle style, int row) {
    if (!(error > 0)) return;
    auto* line = plot().addGraph(plot().xAxis, plot().yAxis2);
    line->setPen(QPen(colours().muted, 1.2, style));
    line->setData({error, error}, {0, 1});
    QCPItemText* text = addText(name, colours().muted);
    text->position->setAxes(plot().xAxis, plot().yAxis2);
    text->position->setCoords(error, 0.02);
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    text->setPadding({3, 0, 0, row * QFontMetrics(text->font()).height()});
}

}  // namespace kernelgen::studio
