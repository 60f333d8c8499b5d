// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/efficiency_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"

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
    drawOthers();
    drawReference();
    drawBest();
    QString caption = tr("Line: round %1").arg(reference_->number);
    if (data_.configurations > 0) {
        caption += tr(" · faint: other configurations, %1, each by its newest round").arg(data_.configurations);
    }
    setCaption(caption);
}

void EfficiencyView::placeAxes() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::binary, bytesText);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::linear, data_.is_fraction ? percentText : bandwidthText);
    setLabels(tr("Bytes of the case"), data_.is_fraction ? tr("Share of the roofline") : tr("Effective bandwidth"));
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

/// Points of one dtype each, without a line.
QCPGraph* EfficiencyView::addCloud(const std::vector<EfficiencyPoint>& points) {
    QCPGraph* cloud = plot().addGraph();
    cloud->setLineStyle(QCPGraph::lsNone);
    for (const EfficiencyPoint& each : points) {
        cloud->addData(each.bytes, each.value);
        addMark({.x = each.bytes,
                 .y = each.value,
                 .axis = plot().yAxis,
                 .round = each.timing.round,
                 .timing = each.timing.timing,
                 .text = {}});
    }
    return cloud;
}

void EfficiencyView::drawOthers() {
    std::map<DType, std::vector<EfficiencyPoint>> of_dtype;
    for (const EfficiencyPoint& each : data_.others) of_dtype[each.timing.timing->binding.dtype].push_back(each);
    for (const auto& [dtype, points] : of_dtype) {
        const QColor colour = faded(seriesColour(colours(), static_cast<int>(dtype)), 0.4);
        addCloud(points)->setScatterStyle({QCPScatterStyle::ssCircle, QPen(colour, 1.2), Qt::NoBrush, 5});
    }
}

void EfficiencyView::drawReference() {
    for (const auto& [dtype, points] : data_.reference) {
        const QColor colour = seriesColour(colours(), static_cast<int>(dtype));
        QCPGraph* line = addCloud(points);
        line->setLineStyle(QCPGraph::lsLine);
        line->setPen(QPen(colour, 1.6));
        line->setScatterStyle({QCPScatterStyle::ssDisc, QPen(colour, 1), colour, 8});
        line->setName(toQt(to_string(dtype)));
        line->addToLegend();
    }
}

void EfficiencyView::drawBest() {
    QCPGraph* best = plot().addGraph();
    best->setLineStyle(QCPGraph::lsNone);
    best->setScatterStyle({QCPScatterStyle::ssStar, QPen(colours().good, 2), Qt::NoBrush, 13});
    best->addData(data_.best->bytes, data_.best->value);
    best->setName(tr("best: round %1, %2")
                      .arg(data_.best->timing.round->number)
                      .arg(data_.is_fraction ? percentText(data_.best->value) : bandwidthText(data_.best->value)));
    best->addToLegend();
}

}  // namespace kernelgen::studio
