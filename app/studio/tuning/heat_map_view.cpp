// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/heat_map_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/text_ticker.h"
#include "app/studio/tuning/tuning_words.h"

namespace kernelgen::studio {

namespace {

constexpr std::size_t most_labels = 400;
constexpr double beyond_any_chart = 1e4;  ///< pixels: each point of the map belongs to the nearest cell

QColor mixed(const QColor& one, const QColor& other, double share) {
    const auto between = [&](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
    return {between(one.red(), other.red()), between(one.green(), other.green()), between(one.blue(), other.blue())};
}

/// The range of an axis: from the middle of the first cell to that of the last; of a single cell from edge to edge.
QCPRange rangeOfCells(int count) { return count > 1 ? QCPRange(0, count - 1.0) : QCPRange(-0.5, 0.5); }

}  // namespace

HeatMapView::HeatMapView(QWidget* parent) : TuningView(tr("Best by two tunables"), parent) {
    setReach(beyond_any_chart);
    connect(&plot(), &QCustomPlot::afterLayout, this, &HeatMapView::hideWhatHasNoRoom);
}

void HeatMapView::setAxes(int x, int y) {
    x_ = x;
    y_ = y;
    forgetZoom();
}

QString HeatMapView::prepare() {
    const auto count = static_cast<int>(tuning().head.parameters.size());
    if (count < 2) return tr("The variant has one tunable only: All configurations shows it");
    if (x_ < 0 || y_ < 0 || x_ >= count || y_ >= count) return tr("Choose two tunables above");
    map_ = heatMap(tuning(), static_cast<std::size_t>(x_), static_cast<std::size_t>(y_));
    return TuningView::prepare();
}

void HeatMapView::placeAxis(QCPAxis* axis, const TunedColumn& column) {
    const auto values = TextTicker::place(axis);
    for (std::size_t i = 0; i < column.values.size(); ++i)
        values->addTick(static_cast<double>(i), QString::number(column.values[i]));
    axis->grid()->setVisible(false);
}

void HeatMapView::draw() {
    placeAxis(plot().xAxis, map_.x);
    placeAxis(plot().yAxis, map_.y);
    setLabels(toQt(map_.x.name), toQt(map_.y.name));
    setFit({-0.5, static_cast<double>(map_.x.values.size()) - 0.5},
           {-0.5, static_cast<double>(map_.y.values.size()) - 0.5});
    low_ = std::numeric_limits<double>::infinity();
    high_ = 0;
    for (const HeatMap::Cell& each : map_.cells) {
        if (each.best < 0) continue;
        const double objective = tuning().tried[static_cast<std::size_t>(each.best)].objective;
        low_ = std::min(low_, objective);
        high_ = std::max(high_, objective);
    }
    drawColours();
    labels_.clear();
    for (std::size_t row = 0; row < map_.y.values.size(); ++row) {
        for (std::size_t column = 0; column < map_.x.values.size(); ++column) label(column, row);
    }
    setCaption({tr("Best result of each pair of values"), tr("✗: all that was tried failed")});
}

/// A cell's place on the colour scale: from 0 for the best cell to 1 for the worst, by ratio.
double HeatMapView::shareOf(const HeatMap::Cell& cell) const {
    const double objective = tuning().tried[static_cast<std::size_t>(cell.best)].objective;
    return high_ > low_ ? std::log(objective / low_) / std::log(high_ / low_) : 0;
}

QColor HeatMapView::colourAt(double share) const {
    const QColor best = seriesColour(colours(), 0), base = palette().color(QPalette::Base);
    return mixed(best, base, 0.9 * std::sqrt(std::clamp(share, 0.0, 1.0)));
}

void HeatMapView::drawColours() {
    auto* map = new QCPColorMap(plot().xAxis, plot().yAxis);
    const auto columns = static_cast<int>(map_.x.values.size()), rows = static_cast<int>(map_.y.values.size());
    map->data()->setSize(columns, rows);
    map->data()->setRange(rangeOfCells(columns), rangeOfCells(rows));
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const HeatMap::Cell& cell = map_.at(static_cast<std::size_t>(column), static_cast<std::size_t>(row));
            map->data()->setCell(column, row, cell.best < 0 ? std::nan("") : shareOf(cell));
        }
    }
    QCPColorGradient gradient;
    gradient.clearColorStops();
    constexpr int stops = 16;
    for (int i = 0; i <= stops; ++i) gradient.setColorStopAt(i / double{stops}, colourAt(i / double{stops}));
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    map->setGradient(gradient);
    map->setDataRange({0, 1});
    map->setInterpolate(false);
    map->setTightBoundary(false);
}

void HeatMapView::label(std::size_t column, std::size_t row) {
    const HeatMap::Cell& cell = map_.at(column, row);
    const QString where = QStringLiteral("%1=%2 %3=%4")
                              .arg(toQt(map_.x.name))
                              .arg(map_.x.values[column])
                              .arg(toQt(map_.y.name))
                              .arg(map_.y.values[row]);
    const QString count = cell.tried == 0 ? tr("%1: not tried").arg(where)
                                          : tr("%1: %2 tried, %3 failed").arg(where).arg(cell.tried).arg(cell.failed);
    addMark({.x = static_cast<double>(column),
             .y = static_cast<double>(row),
             .axis = plot().yAxis,
             .text = cell.best < 0 ? count : count + QStringLiteral("; ") + tr("the best:"),
             .row = cell.best});
    if (cell.tried == 0 || map_.cells.size() > most_labels) return;
    const bool failed = cell.best < 0;
    const QString text =
        failed ? QStringLiteral("✗")
               : objectiveText(tuning().head, tuning().tried[static_cast<std::size_t>(cell.best)].objective);
    const bool dark = !failed && colourAt(shareOf(cell)).lightnessF() < 0.55F;
    QCPItemText* item = addText(text, failed ? colours().bad : dark ? QColor(Qt::white) : QColor(Qt::black));
    item->position->setCoords(static_cast<double>(column), static_cast<double>(row));
    item->setPositionAlignment(Qt::AlignCenter);
    const QFontMetrics metrics(item->font());
    labels_.push_back({item, metrics.horizontalAdvance(text), metrics.height()});
}

/// A text that is wider or higher than its cell is left out.
void HeatMapView::hideWhatHasNoRoom() {
    const double cell_width = plot().axisRect()->width() / plot().xAxis->range().size();
    const double cell_height = plot().axisRect()->height() / plot().yAxis->range().size();
    for (const Label& each : labels_) each.text->setVisible(each.width + 4 < cell_width && each.height < cell_height);
}

}  // namespace kernelgen::studio
