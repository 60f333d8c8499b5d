// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/speedup_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "app/studio/application/metric_words.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "core/round/noise.h"

namespace kernelgen::studio {

namespace {

constexpr std::size_t most_line_points = 400;  ///< drawn of a line at a time
constexpr std::size_t most_marked = 150;       ///< above, points are too near for marks and intervals
constexpr double mark_size = 7, line_width = 1.6;
constexpr double cross_height = 0.035;  ///< of the chart

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

}  // namespace

SpeedupView::SpeedupView(QWidget* parent) : ChartView(tr("Speedup across rounds"), parent) {
    setGuided(true);
    plot().yAxis2->setRange(0, 1);
}

void SpeedupView::present(std::shared_ptr<const History> history) {
    history_ = std::move(history);
    data_ = speedupData(*history_);
    places_.clear();
    for (const SpeedupLine& line : data_.lines) {
        auto& places = places_.emplace_back();
        for (const Timing& each : line.points) {
            places.push_back({static_cast<double>(each.round->number), each.timing->speedup});
        }
    }
    if (data_.empty()) return showMessage(tr("No rounds yet: press F5 to verify and bench"));
    redraw();
}

void SpeedupView::draw() {
    placeAxes();
    drawTarget();
    drawStrands();
    drawFailed();
    describe();
}

void SpeedupView::placeAxes() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::integers, [](double each) { return QString::number(each); });
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::decimal, ratioText);
    setLabels(tr("Round"), {tr("Speedup over the baseline"), titleOf(metrics::speedup)});
    double low = std::numeric_limits<double>::infinity(), high = 0;
    const auto take = [&](double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const SpeedupLine& line : data_.lines) {
        for (const Timing& each : line.points) {
            take(each.timing->speedup);
            if (each.timing->speedup_lower > each.timing->speedup / 4) take(each.timing->speedup_lower);
            if (each.timing->speedup_upper < each.timing->speedup * 4) take(each.timing->speedup_upper);
        }
    }
    for (const TargetStep& each : data_.targets) take(each.speedup);
    const double room = std::max(0.6, (data_.last_round - data_.first_round) * 0.02);
    setFit({data_.first_round - room, data_.last_round + room}, roomAround(low, high, 0.12));
}

void SpeedupView::drawStrands() {
    strands_.clear();
    std::map<std::pair<int, int>, std::size_t> of_mark;
    for (std::size_t i = 0; i < data_.lines.size(); ++i) {
        const SpeedupLine& line = data_.lines[i];
        const auto [found, is_new] = of_mark.try_emplace({line.binding, line.group % group_shapes}, strands_.size());
        if (is_new) {
            const QColor colour = seriesColour(colours(), line.binding);
            Strand strand;
            strand.curve = new QCPCurve(plot().xAxis, plot().yAxis);
            strand.curve->setPen(QPen(colour, line_width));
            strand.curve->setName(caseText(data_.catalogue.cases[static_cast<std::size_t>(line.binding)]));
            strand.bars = new QCPErrorBars(plot().xAxis, plot().yAxis);
            strand.bars->setDataPlottable(strand.curve);
            strand.bars->setPen(QPen(faded(colour, 0.65), 1.2));
            strand.bars->setWhiskerWidth(6);
            strand.bars->setSymbolGap(0);
            const bool first = i == 0 || data_.lines[i - 1].binding != line.binding;
            if (first && line.binding < most_cases_in_legend) strand.curve->addToLegend();
            strand.unsure = plot().addGraph();
            strand.unsure->setLineStyle(QCPGraph::lsNone);
            strand.unsure->setAdaptiveSampling(false);
            strand.unsure->setScatterStyle(unsureMark(line.group, colour, palette().color(QPalette::Base), mark_size));
            strands_.push_back(strand);
        }
        strands_[found->second].lines.push_back(i);
        for (const Timing& each : line.points) {
            addMark({.x = static_cast<double>(each.round->number),
                     .y = each.timing->speedup,
                     .axis = plot().yAxis,
                     .round = each.round,
                     .timing = each.timing,
                     .text = {}});
        }
    }
}

void SpeedupView::drawTarget() {
    auto* target = plot().addGraph();
    target->setName(tr("target"));
    target->setPen(QPen(colours().good, 1.4, Qt::DashLine));
    target->setLineStyle(QCPGraph::lsStepLeft);
    for (const TargetStep& each : data_.targets) target->addData(each.round - 0.5, each.speedup);
    target->addData(data_.last_round + 0.5, data_.targets.back().speedup);
    target->addToLegend();
}

void SpeedupView::drawFailed() {
    crosses_.clear();
    for (const Round* round : data_.failed) {
        const QColor colour = colourOf(round->status, palette());
        Crosses& crosses = crosses_[colour.rgb()];
        if (crosses.graph == nullptr) {
            crosses.graph = plot().addGraph(plot().xAxis, plot().yAxis2);
            crosses.graph->setLineStyle(QCPGraph::lsNone);
            crosses.graph->setAdaptiveSampling(false);
            crosses.graph->setScatterStyle({QCPScatterStyle::ssCross, QPen(colour, 2), Qt::NoBrush, 8});
            crosses.graph->setName(colour == colours().bad ? tr("failed") : tr("not run to its end"));
            crosses.graph->addToLegend();
        }
        crosses.places.push_back({static_cast<double>(round->number), cross_height});
        addMark({.x = static_cast<double>(round->number),
                 .y = cross_height,
                 .axis = plot().yAxis2,
                 .round = round,
                 .timing = nullptr,
                 .text = {}});
    }
}

/// What a reader must know to read the lines.
void SpeedupView::describe() {
    QStringList notes;
    const auto cases = static_cast<int>(data_.catalogue.cases.size());
    if (cases > most_cases_in_legend)
        notes << tr("The legend names %1 of %2 cases").arg(most_cases_in_legend).arg(cases);
    if (data_.catalogue.groups.size() > 1) {
        notes << tr("Lines join rounds of the same device, baseline and environment only");
    }
    if (data_.last_round - data_.first_round >= static_cast<int>(most_marked)) {
        notes << tr("Drawn by highest and lowest; zoom in to see intervals");
    }
    const auto unsure = [](const SpeedupLine& line) {
        return std::ranges::any_of(line.points, [](const Timing& each) { return is_noisy(*each.timing); });
    };
    if (std::ranges::any_of(data_.lines, unsure)) notes << unsureNote();
    setCaption(notes);
}

void SpeedupView::rangeChanged() {
    for (const Strand& strand : strands_) fill(strand);
    for (const auto& [colour, crosses] : crosses_) fill(crosses);
}

void SpeedupView::fill(const Crosses& crosses) {
    const QCPRange visible = plot().xAxis->range();
    QVector<QCPGraphData> shown;
    for (const std::size_t i : thinnedLine(crosses.places, visible.lower, visible.upper, most_marked)) {
        shown.append({crosses.places[i].x, crosses.places[i].y});
    }
    crosses.graph->data()->set(shown, true);
}

/// Gives a strand what of its lines is visible.
void SpeedupView::fill(const Strand& strand) {
    QVector<double> turns, xs, ys, below, above;
    QVector<QCPGraphData> unsure;
    const QCPRange visible = plot().xAxis->range();
    std::size_t shown = 0;
    for (const std::size_t index : strand.lines) {
        const std::vector<std::size_t> kept =
            thinnedLine(places_[index], visible.lower, visible.upper, most_line_points);
        shown += kept.size();
        for (const std::size_t i : kept) {
            const RoundCase& timing = *data_.lines[index].points[i].timing;
            xs << places_[index][i].x;
            ys << timing.speedup;
            below << timing.speedup - timing.speedup_lower;
            above << timing.speedup_upper - timing.speedup;
            if (is_noisy(timing)) unsure.append({places_[index][i].x, timing.speedup});
        }
        xs << visible.lower;
        ys << gap;
        below << gap;
        above << gap;
    }
    for (qsizetype i = 0; i < xs.size(); ++i) turns << static_cast<double>(i);
    strand.curve->setData(turns, xs, ys, true);
    strand.bars->setData(below, above);
    const bool marked = shown <= most_marked;
    strand.bars->setVisible(marked);
    strand.unsure->data()->set(unsure, false);
    strand.unsure->setVisible(marked);
    const int group = data_.lines[strand.lines.front()].group;
    const QColor colour = strand.curve->pen().color();
    strand.curve->setScatterStyle(marked ? groupMark(group, colour, mark_size) : QCPScatterStyle());
    strand.curve->setPen(QPen(colour, marked ? line_width : 1));
    strand.curve->setAntialiased(marked);
}

}  // namespace kernelgen::studio
