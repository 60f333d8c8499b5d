// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/gate/trend_view.h"

#include <algorithm>
#include <set>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "core/gate/gate_words.h"

namespace kernelgen::studio {

namespace {

constexpr double mark_size = 7, line_width = 1.6;

QString tipText(const GateCheck& check, const GatedCase& checked) {
    const Phrases say = windowPhrases();
    return QStringLiteral("%1\n%2: %3\n%4")
        .arg(timeText(check.time), toQt(checked.binding.name), toQt(verdict_words(checked, say)),
             toQt(ratio_words(checked, say)));
}

}  // namespace

TrendView::TrendView(QWidget* parent) : ChartView(tr("Checks of the gate"), parent) {
    setObjectName("gate_trend");
    setGuided(true);
}

void TrendView::present(std::shared_ptr<const Gate> gate) {
    gate_ = std::move(gate);
    trend_ = gate_ ? trend_of(gate_->checks) : Trend();
    if (trend_.lines.empty())
        return showMessage(
            tr("No check yet. Record a round once, then press Check after each change: the last 100 "
               "checks become a line here."));
    redraw();
}

void TrendView::draw() {
    placeAxes();
    drawThresholds();
    std::set<std::size_t> named;
    for (const TrendLine& each : trend_.lines) {
        drawLine(each);
        const bool is_new = named.insert(each.binding).second;
        auto* graph = plot().graph(plot().graphCount() - 1);
        if (!is_new || each.binding >= static_cast<std::size_t>(most_cases_in_legend)) continue;
        graph->setName(caseText(trend_.cases[each.binding]));
        graph->addToLegend();
    }
    drawWorse();
    describe();
}

void TrendView::placeAxes() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::integers, [](double each) { return QString::number(each); });
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::decimal, ratioText);
    setLabels(tr("Check"), tr("Stored time / time now"));
    double low = 1, high = 1;
    for (const TrendLine& line : trend_.lines) {
        for (const TrendLine::Point& each : line.points) {
            low = std::min(low, each.checked->ratio.lower);
            high = std::max(high, each.checked->ratio.upper);
        }
    }
    const auto last = static_cast<double>(gate_->checks.size());
    setFit({1 - std::max(0.6, last * 0.02), last + std::max(0.6, last * 0.02)},
           roomAround(std::min(low, 0.98), std::max(high, 1.02), 0.12));
}

/// 1, and how far from it a change counts.
void TrendView::drawThresholds() {
    double share = 0;
    for (const GatedCase& each : gate_->checks.back().cases) share = std::max(share, each.threshold.share);
    const auto level = [&](double value, const QPen& pen) {
        auto* graph = plot().addGraph();
        graph->setPen(pen);
        graph->setData({0, static_cast<double>(gate_->checks.size()) + 1}, {value, value});
        return graph;
    };
    level(1, QPen(colours().muted, 1));
    if (share == 0) return;
    level(1 + share, QPen(colours().good, 1.2, Qt::DashLine));
    auto* slower = level(1 - share, QPen(colours().good, 1.2, Qt::DashLine));
    slower->setName(tr("threshold"));
    slower->addToLegend();
}

void TrendView::drawLine(const TrendLine& line) {
    const QColor colour = seriesColour(colours(), static_cast<int>(line.binding));
    auto* bars = new QCPErrorBars(plot().xAxis, plot().yAxis);
    auto* graph = plot().addGraph();
    graph->setPen(QPen(colour, line_width));
    graph->setScatterStyle(groupMark(0, colour, mark_size));
    bars->setDataPlottable(graph);
    bars->setPen(QPen(faded(colour, 0.65), 1.2));
    bars->setWhiskerWidth(6);
    bars->setSymbolGap(0);
    for (const auto& [check, checked] : line.points) {
        const auto x = static_cast<double>(check + 1);
        const Ratio& ratio = checked->ratio;
        graph->addData(x, ratio.median);
        bars->addData(ratio.median - ratio.lower, ratio.upper - ratio.median);
        addMark({.x = x,
                 .y = ratio.median,
                 .axis = plot().yAxis,
                 .text = tipText(gate_->checks[check], *checked),
                 .row = static_cast<int>(check)});
    }
}

void TrendView::drawWorse() {
    auto* crosses = plot().addGraph();
    crosses->setLineStyle(QCPGraph::lsNone);
    crosses->setScatterStyle({QCPScatterStyle::ssCross, QPen(colours().bad, 2), Qt::NoBrush, 13});
    for (const TrendLine& line : trend_.lines) {
        for (const auto& [check, checked] : line.points) {
            if (is_worse(*checked)) crosses->addData(static_cast<double>(check + 1), checked->ratio.median);
        }
    }
    if (crosses->dataCount() == 0) return;
    crosses->setName(tr("slower or less accurate"));
    crosses->addToLegend();
}

void TrendView::describe() {
    QStringList notes{tr("Below 1 is slower than what is stored")};
    if (trend_.lines.size() > trend_.cases.size())
        notes << tr("Lines join checks against the same round in the same environment only");
    setCaption(notes);
}

}  // namespace kernelgen::studio
