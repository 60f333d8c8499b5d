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
    setLabels({tr("Time of one call"), tr("Time")}, {tr("Share of samples"), tr("Share")});
    labels_.clear();
    drawSide(data_.baseline, tr("baseline %1").arg(baseline_), colours().muted);
    drawSide(data_.candidate, tr("candidate %1").arg(candidate_), seriesColour(colours(), number_));
    double highest = 0;
    for (const LatencySide* side : {&data_.candidate, &data_.baseline}) {
        for (const double share : side->shares) highest = std::max(highest, share);
    }
    setFit(roomAround(data_.edges.front(), data_.edges.back(), 0.04), {0, highest * 1.12});
    QStringList notes{tr("p50 solid, p90 dashed, p99 dotted")};
    if (!noise_.isEmpty()) notes << noise_;
    setCaption(notes);
}

void LatencyView::drawSide(const LatencySide& side, const QString& name, const QColor& colour) {
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
    drawQuantile(side.p50, QStringLiteral("p50"), colour, Qt::SolidLine);
    drawQuantile(side.p90, QStringLiteral("p90"), colour, Qt::DashLine);
    drawQuantile(side.p99, QStringLiteral("p99"), colour, Qt::DotLine);
}

void LatencyView::drawQuantile(double seconds, const QString& name, const QColor& colour, Qt::PenStyle style) {
    auto* line = plot().addGraph(plot().xAxis, plot().yAxis2);
    line->setPen(QPen(colour, 1.4, style));
    line->setData({seconds, seconds}, {0, 1});
    QCPItemText* text = addText(QStringLiteral("%1 %2").arg(name, secondsText(seconds)), colour);
    text->position->setTypeX(QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(QCPItemPosition::ptAbsolute);
    text->setPadding({3, 0, 3, 0});
    text->setBrush(faded(palette().color(QPalette::Base), 0.75));
    const int rank = style == Qt::SolidLine ? 0 : style == Qt::DotLine ? 1 : 2;
    labels_.push_back({text, seconds, rank});
}

/// The rows begin at the top; with fewer rows than labels, p90 and then p99 have none: the caption names their lines.
void LatencyView::laidOut() {
    if (labels_.empty()) return;
    const int row_height = QFontMetrics(labels_.front().text->font()).lineSpacing();
    const auto rows = static_cast<std::ptrdiff_t>(plot().axisRect()->height() / row_height);
    int most_rank = 2;
    const auto count = [&] {
        return std::ranges::count_if(labels_, [&](auto& each) { return each.rank <= most_rank; });
    };
    while (most_rank >= 0 && count() > rows) --most_rank;
    const QCPRange range = plot().xAxis->range();
    int top = plot().axisRect()->top();
    for (const Label& each : labels_) {
        each.text->setVisible(each.rank <= most_rank);
        if (!each.text->visible()) continue;
        const bool at_end = std::log(each.seconds / range.lower) > left_of_labels * std::log(range.upper / range.lower);
        each.text->setPositionAlignment((at_end ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
        each.text->position->setCoords(each.seconds, top);
        top += row_height;
    }
}

}  // namespace kernelgen::studio
