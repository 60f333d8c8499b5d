// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/efficiency_view.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "app/studio/application/metric_words.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "core/round/noise.h"

namespace kernelgen::studio {

EfficiencyView::EfficiencyView(QWidget* parent) : ChartView(tr("Size against efficiency"), parent) {}

void EfficiencyView::present(std::shared_ptr<const History> history, std::shared_ptr<const Round> reference) {
    history_ = std::move(history);
    reference_ = std::move(reference);
    data_ = efficiencyData(*history_, *reference_);
    if (data_.empty()) return showMessage(tr("Round %1 has no timed case").arg(reference_->number));
    redraw();
}

void EfficiencyView::draw() {
    placeAxes();
    drawCloud(data_.others, 0.35, 4.5);
    drawReference();
    drawBest();
    QStringList notes{tr("Line: round %1").arg(reference_->number)};
    if (data_.configurations > 0) {
        notes << tr("Faint: other configurations, %1, each by its newest round").arg(data_.configurations);
    }
    const auto unsure = [](const EfficiencyPoint& each) { return is_noisy(*each.timing.timing); };
    const auto any = [&](const auto& points) { return std::ranges::any_of(points, unsure); };
    if (any(data_.others) || std::ranges::any_of(data_.reference | std::views::values, any)) {
        notes << unsureNote();
        nameUnsure();
    }
    setCaption(notes);
}

void EfficiencyView::placeAxes() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::binary, bytesText);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::linear, data_.is_fraction ? percentText : bandwidthText);
    const Metric& metric = data_.is_fraction ? metrics::fraction : metrics::bandwidth_gbps;
    setLabels({tr("Bytes of the case"), tr("Bytes")},
              {titleOf(metric), data_.is_fraction ? tr("Share") : unitOf(metric)});
    double least = HUGE_VAL, most = 0;
    const auto take = [&](const EfficiencyPoint& point) {
        least = std::min(least, point.bytes);
        most = std::max(most, point.bytes);
    };
    for (const auto& [dtype, points] : data_.reference) std::ranges::for_each(points, take);
    std::ranges::for_each(data_.others, take);
    const double highest = data_.best->value * 1.12;
    setFit({least / 1.6, most * 1.6}, {0, data_.is_fraction ? std::max(highest, 1.05) : highest});
}

/// Points without a line, each in its case's colour; hollow where noise makes them unsure.
void EfficiencyView::drawCloud(const std::vector<EfficiencyPoint>& points, double opacity, double size) {
    std::map<std::pair<int, bool>, QCPGraph*> clouds;
    for (const EfficiencyPoint& each : points) {
        const bool unsure = is_noisy(*each.timing.timing);
        QCPGraph*& cloud = clouds[{each.timing.binding, unsure}];
        if (cloud == nullptr) {
            const QColor colour = faded(seriesColour(colours(), each.timing.binding), opacity);
            cloud = plot().addGraph();
            cloud->setLineStyle(QCPGraph::lsNone);
            cloud->setScatterStyle(unsure ? unsureMark(0, colour, palette().color(QPalette::Base), size)
                                          : groupMark(0, colour, size));
        }
        cloud->addData(each.bytes, each.value);
        addMark({.x = each.bytes,
                 .y = each.value,
                 .axis = plot().yAxis,
                 .round = each.timing.round,
                 .timing = each.timing.timing,
                 .text = {}});
    }
}

/// The reference's cases: a line for each dtype, since colours are those of cases.
void EfficiencyView::drawReference() {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    std::size_t number = 0;
    for (const auto& [dtype, points] : data_.reference) {
        QCPGraph* line = plot().addGraph();
        line->setPen(QPen(colours().muted, 1.4, styles[number++ % std::size(styles)]));
        line->setName(toQt(to_string(dtype)));
        line->addToLegend();
        for (const EfficiencyPoint& each : points) line->addData(each.bytes, each.value);
    }
    for (const auto& [dtype, points] : data_.reference) drawCloud(points, 1, 8);
}

/// What a hollow mark means.
void EfficiencyView::nameUnsure() {
    QCPGraph* hollow = plot().addGraph();
    hollow->setLineStyle(QCPGraph::lsNone);
    hollow->setScatterStyle(unsureMark(0, colours().muted, palette().color(QPalette::Base), 8));
    hollow->setName(tr("noisy"));
    hollow->addToLegend();
}

void EfficiencyView::drawBest() {
    QCPGraph* best = plot().addGraph();
    best->setLineStyle(QCPGraph::lsNone);
    const bool unsure = is_noisy(*data_.best->timing.timing);
    const QColor colour = unsure ? colours().muted : colours().good;
    best->setScatterStyle({QCPScatterStyle::ssStar, QPen(colour, 2), Qt::NoBrush, 13});
    best->addData(data_.best->bytes, data_.best->value);
    const QString value = data_.is_fraction ? percentText(data_.best->value) : bandwidthText(data_.best->value);
    best->setName(
        tr("best: round %1, %2").arg(data_.best->timing.round->number).arg(unsure ? unsureText(value) : value));
    best->addToLegend();
}

}  // namespace kernelgen::studio
