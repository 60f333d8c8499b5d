// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/latency_view.h"

#include <algorithm>
#include <cmath>

#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"

namespace kernelgen::studio {

namespace {

constexpr double left_of_labels = 0.75;  ///< of the chart; a quantile to the right of it has its label on its left

}  // namespace

LatencyView::LatencyView(QWidget* parent) : ChartView(tr("Latency distribution"), parent) {
    plot().yAxis2->setRange(0, 1);
}

void LatencyView::present(const BenchResult& timing, const QString& candidate, int number) {
    number_ = number;
    data_ = latencyData(timing);
    candidate_ = candidate;
    baseline_ = toQt(timing.baseline);
    noise_ = noiseInWords({.binding = timing.binding,
                           .speedup_lower = timing.speedup.lower,
                           .speedup_upper = timing.speedup.upper,
                           .rsd = timing.candidate.relative_standard_deviation,
                           .baseline_rsd = timing.baseline_summary.relative_standard_deviation,
                           .roofline = {}});
    if (data_.edges.empty()) return showMessage(tr("This case has no samples"));
    redraw();
}

void LatencyView::draw() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::decimal, secondsText);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::linear, percentText);
    setLabels(tr("Time of one call"), tr("Share of samples"));
    drawSide(data_.baseline, tr("baseline %1").arg(baseline_), colours().muted, 0.5);
    drawSide(data_.candidate, tr("candidate %1").arg(candidate_), seriesColour(colours(), number_), 0.98);
    double highest = 0;
    for (const LatencySide* side : {&data_.candidate, &data_.baseline}) {
        for (const double share : side->shares) highest = std::max(highest, share);
    }
    setFit(roomAround(data_.edges.front(), data_.edges.back(), 0.04), {0, highest * 1.12});
    QStringList notes{tr("p50 solid, p90 dashed, p99 dotted")};
    if (!noise_.isEmpty()) notes << noise_;
    setCaption(notes);
}

void LatencyView::drawSide(const LatencySide& side, const QString& name, const QColor& colour, double label_height) {
    if (side.samples == 0) return;
    auto* graph = plot().addGraph();
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setPen(QPen(colour, 1.4));
    graph->setBrush(faded(colour, 0.25));
    graph->setName(tr("%1, %2 samples").arg(name).arg(side.samples));
    graph->addToLegend();
    graph->addData(data_.edges.front(), 0);
    for (std::size_t i = 0; i < side.shares.size(); ++i) {
        const double from = data_.edges[i], to = data_.edges[i + 1];
        graph->addData(from, side.shares[i]);
        if (side.shares[i] == 0) continue;
        const auto count = std::lround(side.shares[i] * side.samples);
        addMark({.x = std::sqrt(from * to),
                 .y = side.shares[i],
                 .axis = plot().yAxis,
                 .text = tr("%1: %2 of %3 samples from %4 to %5")
                             .arg(name)
                             .arg(count)
                             .arg(side.samples)
                             .arg(secondsText(from), secondsText(to))});
    }
    graph->addData(data_.edges.back(), 0);
    drawQuantile(side.p50, QStringLiteral("p50"), colour, Qt::SolidLine, label_height);
    drawQuantile(side.p90, QStringLiteral("p90"), colour, Qt::DashLine, label_height - 0.16);
    drawQuantile(side.p99, QStringLiteral("p99"), colour, Qt::DotLine, label_height - 0.32);
}

void LatencyView::drawQuantile(double seconds, const QString& name, const QColor& colour, Qt::PenStyle style,
                               double height) {
    auto* line = plot().addGraph(plot().xAxis, plot().yAxis2);
    line->setPen(QPen(colour, 1.4, style));
    line->setData({seconds, seconds}, {0, 1});
    QCPItemText* text = addText(QStringLiteral("%1 %2").arg(name, secondsText(seconds)), colour);
    text->position->setAxes(plot().xAxis, plot().yAxis2);
    text->position->setCoords(seconds, height);
    const double low = data_.edges.front(), high = data_.edges.back();
    const bool at_end = std::log(seconds / low) > left_of_labels * std::log(high / low);
    text->setPositionAlignment((at_end ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
    text->setPadding({3, 0, 3, 0});
}

}  // namespace kernelgen::studio
