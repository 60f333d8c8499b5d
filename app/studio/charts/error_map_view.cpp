// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/error_map_view.h"

#include <algorithm>
#include <cmath>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"

namespace kernelgen::studio {

namespace {

constexpr double beyond_any_chart = 1e4;  ///< pixels: each point of the map belongs to the nearest bin
constexpr std::int64_t most_tile_lines = 64;
constexpr double least_share = 0.35;  ///< of the colour of a bin with one wrong element

QString value(double number) { return QString::number(number, 'g', 9); }

QString wholeNumber(double number) { return QString::number(number, 'f', 0); }

/// "12" or "12–15".
QString range(std::int64_t first, std::int64_t count, std::int64_t size) {
    const std::int64_t last = std::min(first + count, size) - 1;
    return last == first ? QString::number(first) : QStringLiteral("%1–%2").arg(first).arg(last);
}

QString countText(std::int64_t wrong, std::int64_t unwritten, std::int64_t elements) {
    const QString text = wrong > 0 && unwritten == wrong ? ErrorMapView::tr("%L1 of %L2 elements not written")
                                                         : ErrorMapView::tr("%L1 of %L2 elements wrong");
    return text.arg(wrong).arg(elements);
}

}  // namespace

ErrorMapView::ErrorMapView(QWidget* parent) : ChartView(tr("Error map"), parent) { setReach(beyond_any_chart); }

void ErrorMapView::present(const ErrorMap& map, const QString& check) {
    if (map.output != map_.output || map.extents != map_.extents) forgetZoom();
    map_ = map;
    check_ = check;
    redraw();
}

void ErrorMapView::draw() {
    const auto rows = static_cast<double>(map_.grid.rows), columns = static_cast<double>(map_.grid.columns);
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::integers, wholeNumber);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::integers, wholeNumber);
    setLabels(tr("Column of %1").arg(toQt(map_.output)), tr("Row"));
    plot().xAxis->grid()->setVisible(false);
    plot().yAxis->grid()->setVisible(false);
    plot().yAxis->setRangeReversed(true);
    setFit({0, columns}, {0, rows});
    drawColours();
    drawTiles();
    addMarks();
    QStringList notes = {check_, countText(map_.wrong_elements(), map_.unwritten, map_.grid.elements())};
    if (map_.unwritten > 0 && map_.unwritten < map_.wrong_elements())
        notes << tr("%L1 not written").arg(map_.unwritten);
    if (map_.tile_rows > 0 || map_.tile_columns > 0)
        notes << tr("Lines: tiles of %1 × %2")
                     .arg(map_.tile_rows > 0 ? map_.tile_rows : map_.grid.rows)
                     .arg(map_.tile_columns > 0 ? map_.tile_columns : map_.grid.columns);
    setCaption(notes);
}

std::int64_t ErrorMapView::elementsOf(std::int64_t row, std::int64_t column) const {
    return std::min(map_.bin_rows, map_.grid.rows - row * map_.bin_rows) *
           std::min(map_.bin_columns, map_.grid.columns - column * map_.bin_columns);
}

/// The share of a bin that is wrong: from 0 for a bin that is right to 1 for one that is all wrong; one wrong element
/// can be seen.
double ErrorMapView::shareOf(std::size_t bin) const {
    if (map_.wrong[bin] == 0) return 0;
    const Grid bins = map_.bins();
    const auto place = static_cast<std::int64_t>(bin);
    const double share = static_cast<double>(map_.wrong[bin]) /
                         static_cast<double>(elementsOf(bins.row_of(place), bins.column_of(place)));
    return least_share + (1 - least_share) * share;
}

void ErrorMapView::drawColours() {
    const Grid bins = map_.bins();
    auto* colour_map = new QCPColorMap(plot().xAxis, plot().yAxis);
    const auto columns = static_cast<int>(bins.columns), rows = static_cast<int>(bins.rows);
    colour_map->data()->setSize(columns, rows);
    const auto middle = [](std::int64_t bin, std::int64_t size) {
        return (static_cast<double>(bin) + 0.5) * static_cast<double>(size);
    };
    // A range of one bin goes from edge to edge.
    const auto whole = [&](std::int64_t count, std::int64_t size) {
        return count > 1 ? QCPRange(middle(0, size), middle(count - 1, size)) : QCPRange(0, static_cast<double>(size));
    };
    colour_map->data()->setRange(whole(bins.columns, map_.bin_columns), whole(bins.rows, map_.bin_rows));
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column)
            colour_map->data()->setCell(column, row, shareOf(static_cast<std::size_t>(row) * bins.columns + column));
    }
    QCPColorGradient gradient;
    gradient.clearColorStops();
    gradient.setColorStopAt(0, faded(colours().good, 0.18));
    gradient.setColorStopAt(least_share / 2, faded(colours().good, 0.18));
    gradient.setColorStopAt(least_share, faded(colours().bad, 0.45));
    gradient.setColorStopAt(1, colours().bad);
    colour_map->setGradient(gradient);
    colour_map->setDataRange({0, 1});
    colour_map->setInterpolate(false);
    colour_map->setTightBoundary(false);
}

void ErrorMapView::drawTiles() {
    const auto rows = static_cast<double>(map_.grid.rows), columns = static_cast<double>(map_.grid.columns);
    const auto line = [&](double x1, double y1, double x2, double y2) {
        auto* item = new QCPItemLine(&plot());
        item->setPen(QPen(faded(palette().color(QPalette::Text), 0.55), 1, Qt::DotLine));
        item->start->setCoords(x1, y1);
        item->end->setCoords(x2, y2);
        item->setSelectable(false);
    };
    const auto drawn = [](std::int64_t size, std::int64_t tile) {
        return tile > 0 && tile < size && size / tile <= most_tile_lines;
    };
    if (drawn(map_.grid.columns, map_.tile_columns)) {
        for (std::int64_t at = map_.tile_columns; at < map_.grid.columns; at += map_.tile_columns)
            line(static_cast<double>(at), 0, static_cast<double>(at), rows);
    }
    if (!drawn(map_.grid.rows, map_.tile_rows)) return;
    for (std::int64_t at = map_.tile_rows; at < map_.grid.rows; at += map_.tile_rows)
        line(0, static_cast<double>(at), columns, static_cast<double>(at));
}

/// Adds a mark in the middle of each bin.
void ErrorMapView::addMarks() {
    const Grid bins = map_.bins();
    for (std::int64_t bin = 0; bin < bins.elements(); ++bin) {
        const std::int64_t row = bins.row_of(bin) * map_.bin_rows, column = bins.column_of(bin) * map_.bin_columns;
        const auto middle = [](std::int64_t first, std::int64_t count, std::int64_t size) {
            return (static_cast<double>(first) + static_cast<double>(std::min(first + count, size))) / 2;
        };
        addMark({.x = middle(column, map_.bin_columns, map_.grid.columns),
                 .y = middle(row, map_.bin_rows, map_.grid.rows),
                 .axis = plot().yAxis});
    }
}

QString ErrorMapView::tipOf(const Mark& mark) const {
    const std::int64_t bin_row = static_cast<std::int64_t>(mark.y) / map_.bin_rows;
    const std::int64_t bin_column = static_cast<std::int64_t>(mark.x) / map_.bin_columns;
    const std::int64_t row = bin_row * map_.bin_rows, column = bin_column * map_.bin_columns;
    const auto bin = static_cast<std::size_t>(bin_row * map_.bins().columns + bin_column);
    QStringList lines = {
        tr("row %1, column %2")
            .arg(range(row, map_.bin_rows, map_.grid.rows), range(column, map_.bin_columns, map_.grid.columns))};
    if (map_.wrong[bin] == 0) return lines.front() + QStringLiteral(": ") + tr("right");
    // What nobody wrote has no error.
    const std::int64_t unwritten = map_.worst[bin] == 0 ? map_.wrong[bin] : 0;
    QString count = countText(map_.wrong[bin], unwritten, elementsOf(bin_row, bin_column));
    if (unwritten == 0) count += tr("; largest error %1").arg(QString::number(map_.worst[bin], 'g', 3));
    lines << count;
    for (const KeptElement& each : map_.kept) {
        if (each.row / map_.bin_rows != bin_row || each.column / map_.bin_columns != bin_column) continue;
        const QString place = QStringLiteral("[%1, %2]: ").arg(each.row).arg(each.column);
        if (each.is_unwritten) lines << place + tr("expected %1, not written").arg(value(each.expected));
        else lines << place + tr("expected %1, actual %2").arg(value(each.expected), value(each.actual));
        break;
    }
    return lines.join('\n');
}

}  // namespace kernelgen::studio
