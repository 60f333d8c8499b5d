// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/parallel_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/text_ticker.h"
#include "app/studio/tuning/tuning_words.h"

namespace kernelgen::studio {

namespace {

constexpr std::size_t most_lines = 300;
constexpr int shades = 6;              ///< of colour, from the worst to the best
constexpr double band_of_value = 0.6;  ///< of the distance between two values, in which its lines lie
constexpr double line_gap = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ParallelView::ParallelView(QWidget* parent) : TuningView(tr("Parallel coordinates"), parent) { setJoined(true); }

QString ParallelView::prepare() {
    if (tuning().head.parameters.size() < 2) return tr("The variant has one tunable only: All configurations shows it");
    columns_ = columns_of(tuning());
    std::erase_if(columns_, [](const TunedColumn& each) { return each.values.size() < 2; });
    lines_ = parallelLines(tuning(), most_lines);
    return TuningView::prepare();
}

void ParallelView::draw() {
    values_.assign(columns_.size(), {});
    objectives_ = objectiveRange();
    placeAxes();
    drawLines();
    for (std::size_t place = 0; place < columns_.size(); ++place) drawAxis(place);
    drawObjective();
    const auto ok = static_cast<std::size_t>(std::ranges::count_if(tuning().tried, &Tried::is_ok));
    QStringList notes{tr("The better, the stronger and higher")};
    if (ok > lines_.size()) notes << tr("%1 of %2: the best, and some of the others").arg(lines_.size()).arg(ok);
    if (ok < tuning().tried.size()) notes << tr("%1 that failed are left out").arg(tuning().tried.size() - ok);
    setCaption(notes);
}

void ParallelView::placeAxes() {
    const auto names = TextTicker::place(plot().xAxis, TextTicker::WithoutRoom::cut);
    for (std::size_t i = 0; i < columns_.size(); ++i) names->addTick(static_cast<double>(i), toQt(columns_[i].name));
    names->addTick(static_cast<double>(columns_.size()), objectiveBrief(tuning().head));
    plot().yAxis->setScaleType(QCPAxis::stLinear);
    plot().yAxis->setTicks(false);
    plot().yAxis->grid()->setVisible(false);
    setLabels(QString(), QString());
    setFit({-0.5, static_cast<double>(columns_.size()) + 0.6}, {-0.04, 1.04});
}

/// The values beside their axis, readable above the lines.
void ParallelView::drawAxis(std::size_t place) {
    const TunedColumn& column = columns_[place];
    for (std::size_t i = 0; i < column.values.size(); ++i) {
        QCPItemText* text = addText(QString::number(column.values[i]), palette().color(QPalette::Text));
        text->setBrush(faded(palette().color(QPalette::Base), 0.75));
        text->position->setCoords(static_cast<double>(place),
                                  (static_cast<double>(i) + 0.5) / static_cast<double>(column.values.size()));
        text->setPositionAlignment(Qt::AlignRight | Qt::AlignVCenter);
        text->setPadding({2, 0, 5, 0});
        values_[place].push_back(text);
    }
}

/// Of the values of a column that is too low for all, every second, third, … is named.
void ParallelView::hideWhatHasNoRoom() {
    const double height = plot().axisRect()->height() / plot().yAxis->range().size();  // of a column
    for (const std::vector<QCPItemText*>& each : values_) {
        if (each.empty()) continue;
        const double needed = QFontMetrics(each[0]->font()).height() * static_cast<double>(each.size());
        const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / std::max(1.0, height))));
        for (std::size_t i = 0; i < each.size(); ++i) each[i]->setVisible(i % step == 0);
    }
}

/// The worst and the best beside the objective's axis.
void ParallelView::drawObjective() {
    for (const ParallelLine* each : {&lines_.front(), &lines_.back()}) {
        const double objective = tuning().tried[static_cast<std::size_t>(each->row)].objective;
        QCPItemText* text = addText(objectiveText(tuning().head, objective), palette().color(QPalette::Text));
        text->position->setCoords(static_cast<double>(columns_.size()), heightOf(*each, columns_.size()));
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        text->setPadding({5, 0, 2, 0});
        if (lines_.size() == 1) return;
    }
}

/// From 0, the bottom, to 1. The last axis is the objective by its logarithm, the best at the top.
double ParallelView::heightOf(const ParallelLine& line, std::size_t place) const {
    const auto row = static_cast<std::size_t>(line.row);
    if (place == columns_.size()) {
        const double objective = tuning().tried[row].objective;
        return std::log(objectives_.upper / objective) / std::log(objectives_.upper / objectives_.lower);
    }
    const TunedColumn& column = columns_[place];
    const double within = 0.5 + band_of_value * (0.5 - line.rank);
    return (column.places[row] + within) / static_cast<double>(column.values.size());
}

void ParallelView::drawLines() {
    std::vector<QVector<QCPCurveData>> points(shades);
    for (const ParallelLine& line : lines_) {
        const int shade = std::min(shades - 1, static_cast<int>((1 - line.rank) * shades));
        auto& own = points[static_cast<std::size_t>(shade)];
        for (std::size_t place = 0; place <= columns_.size(); ++place) {
            const double x = static_cast<double>(place), y = heightOf(line, place);
            own.append({static_cast<double>(own.size()), x, y});
            addMark({.x = x, .y = y, .axis = plot().yAxis, .row = line.row});
        }
        own.append({static_cast<double>(own.size()), line_gap, line_gap});
    }
    const QColor best = seriesColour(colours(), 0);
    for (int shade = 0; shade < shades; ++shade) {
        auto* curve = new QCPCurve(plot().xAxis, plot().yAxis);
        const double strength = (shade + 1.0) / shades;
        const QColor colour = shade < shades / 2 ? faded(colours().muted, 0.2 + 0.5 * strength)
                                                 : faded(best, 0.2 + 0.7 * strength * strength);
        curve->setPen(QPen(colour, 1));  // a wider one takes several times as long to draw
        curve->data()->set(points[static_cast<std::size_t>(shade)], true);
    }
}

}  // namespace kernelgen::studio
