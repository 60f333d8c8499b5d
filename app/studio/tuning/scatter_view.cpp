// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/scatter_view.h"

#include <algorithm>
#include <cmath>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/text_ticker.h"
#include "app/studio/tuning/tuning_words.h"
#include "core/tune/tuned_columns.h"

namespace kernelgen::studio {

namespace {

constexpr double point_size = 5, failed_height = 0.03;
constexpr double spread_of_value = 0.5;  ///< of the distance between two values, so that equal ones can be told apart

/// A shift of a mark between -0.5 and 0.5, always the same for a row.
double jitterOf(std::size_t row) { return std::fmod(static_cast<double>(row) * 0.618034, 1.0) - 0.5; }

}  // namespace

ScatterView::ScatterView(QWidget* parent) : TuningView(tr("All configurations"), parent) {
    plot().yAxis2->setRange(0, 1);
}

void ScatterView::setAxis(int parameter) {
    parameter_ = parameter;
    forgetZoom();
}

QString ScatterView::prepare() {
    return tuning().tried.empty() ? tr("Nothing is tried yet: each result appears here when it is known") : QString();
}

void ScatterView::placeAxes() {
    placeObjective(plot().yAxis);
    const auto& parameters = tuning().head.parameters;
    const bool by_value = parameter_ >= 0 && parameter_ < static_cast<int>(parameters.size());
    const QString name = by_value ? toQt(parameters[static_cast<std::size_t>(parameter_)].name) : tr("Order");
    setLabels(name, objectiveAxis());
    if (!by_value) {
        HumanTicker::place(plot().xAxis, HumanTicker::Scale::integers,
                           [](double each) { return QString::number(each); });
        const auto count = static_cast<double>(tuning().tried.size());
        return setFit({1 - 0.02 * count - 0.5, 1.02 * count + 0.5}, objectiveRange());
    }
    const TunedColumn column = column_of(tuning(), static_cast<std::size_t>(parameter_));
    const auto values = TextTicker::place(plot().xAxis);
    for (std::size_t i = 0; i < column.values.size(); ++i)
        values->addTick(static_cast<double>(i), QString::number(column.values[i]));
    setFit({-0.6, static_cast<double>(column.values.size()) - 0.4}, objectiveRange());
}

void ScatterView::draw() {
    clouds_.clear();  // their graphs are gone
    placeAxes();
    const QColor colour = seriesColour(colours(), 0);
    const QCPScatterStyle cross(QCPScatterStyle::ssCross, QPen(colours().bad, 1.5), Qt::NoBrush, point_size + 1);
    const QCPScatterStyle ring(QCPScatterStyle::ssCircle, QPen(colours().muted, 1), Qt::NoBrush, point_size - 1);
    clouds_ = {addCloud(plot(), tr("failed"), cross, plot().yAxis2),
               addCloud(plot(), tr("left the race"), ring, plot().yAxis),
               addCloud(plot(), tr("sampled to the end"), groupMark(0, colour, point_size), plot().yAxis)};
    collect();
    for (const Cloud& each : clouds_) {
        if (!each.places.empty()) each.graph->addToLegend();
    }
    if (tuning().tried.size() > most_cloud_points) setCaption({tr("Many points: of those at one place one is drawn")});
}

void ScatterView::collect() {
    const auto& parameters = tuning().head.parameters;
    const bool by_value = parameter_ >= 0 && parameter_ < static_cast<int>(parameters.size());
    const TunedColumn column = by_value ? column_of(tuning(), static_cast<std::size_t>(parameter_)) : TunedColumn();
    for (std::size_t row = 0; row < tuning().tried.size(); ++row) {
        const Tried& each = tuning().tried[row];
        const double x = by_value ? column.places[row] + spread_of_value * jitterOf(row) : static_cast<double>(row) + 1;
        Cloud& cloud = clouds_[each.is_ok() ? (each.left ? 1 : 2) : 0];
        const double y = each.is_ok() ? each.objective : failed_height;
        cloud.places.push_back({x, y});
        addMark({.x = x, .y = y, .axis = cloud.graph->valueAxis(), .row = static_cast<int>(row)});
    }
}

void ScatterView::rangeChanged() {
    for (const Cloud& each : clouds_) drawVisible(each);
}

}  // namespace kernelgen::studio
