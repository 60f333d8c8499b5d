// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/roofline_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "app/studio/application/metric_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/charts/text_place.h"
#include "core/round/noise.h"

namespace kernelgen::studio {

namespace {

constexpr int most_drawn_points = 4000;  ///< drawn at a time
constexpr int grid_columns = 300, grid_rows = 200;
constexpr int most_steps = 150;  ///< arrows
constexpr int most_rounds = 50;  ///< whose arrows are drawn
constexpr double bow = 0.35;     ///< of its length an arrow swings out, since rounds of one case lie on one vertical
constexpr double widest_bow = 26, shortest_arrow = 12, beside_point = 6;  ///< pixels

/// The name of a ceiling; of a bandwidth in full, with the size of the data that it was measured over.
QString roofText(const Roof& roof, bool full) {
    QString name;
    switch (roof.kind) {
        case Roof::Kind::copy: name = RooflineView::tr("copy %1").arg(bandwidthText(roof.value)); break;
        case Roof::Kind::read: name = RooflineView::tr("read %1").arg(bandwidthText(roof.value)); break;
        case Roof::Kind::write: name = RooflineView::tr("write %1").arg(bandwidthText(roof.value)); break;
        case Roof::Kind::flops: return QStringLiteral("%1 %2").arg(toQt(to_string(roof.dtype)), flopsText(roof.value));
    }
    return full ? RooflineView::tr("%1 (%2)").arg(name, bytesText(roof.bytes)) : name;
}

/// The cloud of a point: each case has two, one for sure results and one for noisy ones.
std::size_t cloudOf(const Timing& point) {
    return 2 * static_cast<std::size_t>(point.binding) + (is_noisy(*point.timing) ? 1 : 0);
}

double lowestDiagonal(const std::vector<Roof>& roofs) {
    double value = 0;
    for (const Roof& each : roofs) {
        if (each.kind != Roof::Kind::flops && (value == 0 || each.value < value)) value = each.value;
    }
    return value;
}

QSizeF sizeOf(const QCPItemText& label) {
    const QFontMetricsF metrics(label.font());
    return {metrics.horizontalAdvance(label.text()), metrics.height() + 3};
}

/// The highest ceiling of bandwidth or of FLOPs; 0 without any.
double highest(const std::vector<Roof>& roofs, bool flops) {
    double value = 0;
    for (const Roof& each : roofs) {
        if ((each.kind == Roof::Kind::flops) == flops) value = std::max(value, each.value);
    }
    return value;
}

}  // namespace

RooflineView::RooflineView(QWidget* parent) : ChartView(tr("Roofline"), parent) {
    connect(&plot(), &QCustomPlot::afterLayout, this, &RooflineView::arrange);
}

void RooflineView::present(std::shared_ptr<const History> history, const std::string& device, const Ceilings& ceilings,
                           int centre) {
    history_ = std::move(history);
    data_ = rooflineData(*history_, device, ceilings);
    centre_ = centre;
    places_.clear();
    for (const Timing& each : data_.points) {
        const RooflinePoint& place = each.timing->roofline;
        places_.push_back({std::log10(place.intensity), std::log10(place.gflops)});
    }
    if (!data_.points.empty()) return redraw();
    showMessage(data_.no_flops ? tr("This operator does no arithmetic, so it has no place on a roofline: see how its "
                                    "bandwidth goes with size")
                               : tr("No timed round on %1 yet: press F5 to verify and bench").arg(toQt(device)));
}

void RooflineView::draw() {
    roofs_.clear();
    arrows_.clear();
    placeAxes();
    drawRoofs();
    drawSteps();
    drawPoints();
    describe();
}

void RooflineView::placeAxes() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::decimal, threeDigits);
    HumanTicker::place(plot().yAxis, HumanTicker::Scale::decimal, threeDigits);
    setLabels({labelOf(metrics::intensity), unitOf(metrics::intensity)},
              {labelOf(metrics::gflops), unitOf(metrics::gflops)});
    double left = HUGE_VAL, right = 0, low = HUGE_VAL, high = 0;
    for (const Timing& each : data_.points) {
        const RooflinePoint& place = each.timing->roofline;
        left = std::min(left, place.intensity);
        right = std::max(right, place.intensity);
        low = std::min(low, place.gflops);
        high = std::max({high, place.gflops, place.fraction > 0 ? place.gflops / place.fraction : 0});
    }
    const double bandwidth = highest(data_.roofs, false), peak = highest(data_.roofs, true);
    if (bandwidth > 0 && peak > 0) right = std::max(right, peak / bandwidth);
    setFit({left / 6, right * 5}, {low / 2.5, std::max(high, peak) * 4});
}

void RooflineView::drawRoofs() {
    for (const Roof& roof : data_.roofs) drawRoof(roof);
}

void RooflineView::drawRoof(const Roof& roof) {
    const bool flops = roof.kind == Roof::Kind::flops;
    auto* line = plot().addGraph();
    line->setPen(QPen(colours().muted, roof == data_.roofs.front() || flops ? 1.8 : 1.1,
                      flops || roof.kind == Roof::Kind::copy ? Qt::SolidLine : Qt::DotLine));
    line->setAdaptiveSampling(false);
    QCPItemText* label = addText(roofText(roof, true), colours().muted);
    label->position->setType(QCPItemPosition::ptAbsolute);
    label->setPadding({0, 1, 0, 2});
    roofs_.push_back({.roof = roof, .line = line, .label = label});
}

/// Gives each ceiling its ends within what is visible: diagonals and levels end where they meet.
void RooflineView::placeRoofs() {
    const QCPRange x = plot().xAxis->range(), y = plot().yAxis->range();
    const double bandwidth = highest(data_.roofs, false), peak = highest(data_.roofs, true);
    for (const RoofLine& each : roofs_) {
        const double value = each.roof.value;
        const bool level = each.roof.kind == Roof::Kind::flops;
        const double from = std::max(x.lower, level ? (bandwidth > 0 ? value / bandwidth : 0) : y.lower / value);
        const double to = std::min(x.upper, level || peak <= 0 ? x.upper : std::min(peak, y.upper) / value);
        const bool visible = from < to && (!level || y.contains(value));
        each.line->setData({from, to},
                           level ? QVector<double>{value, value} : QVector<double>{from * value, to * value});
        each.line->setVisible(visible);
    }
}

/// Adds a graph for the points of one case, sure or not, without a line.
QCPGraph* RooflineView::addCloud(const QCPScatterStyle& mark) {
    QCPGraph* cloud = plot().addGraph();
    cloud->setLineStyle(QCPGraph::lsNone);
    cloud->setAdaptiveSampling(false);
    cloud->setScatterStyle(mark);
    return cloud;
}

/// Draws small marks for every round, and above them large ones for the newest.
void RooflineView::drawPoints() {
    clouds_.clear();
    const QColor base = palette().color(QPalette::Base);
    const int newest = data_.points.back().round->number;
    std::map<std::size_t, QCPGraph*> heads;
    for (std::size_t i = 0; i < 2 * data_.catalogue.cases.size(); ++i) {
        const QColor colour = seriesColour(colours(), static_cast<int>(i / 2));
        clouds_.push_back(addCloud(i % 2 == 0 ? groupMark(0, colour, 6) : unsureMark(0, colour, base, 6)));
    }
    for (const Timing& each : data_.points) {
        const RooflinePoint& place = each.timing->roofline;
        const std::size_t cloud = cloudOf(each);
        if (each.round->number == newest && !heads.contains(cloud)) {
            QCPScatterStyle mark = clouds_[cloud]->scatterStyle();
            mark.setSize(10);
            heads[cloud] = addCloud(mark);
        }
        if (each.round->number == newest) heads[cloud]->addData(place.intensity, place.gflops);
        addMark({.x = place.intensity,
                 .y = place.gflops,
                 .axis = plot().yAxis,
                 .round = each.round,
                 .timing = each.timing,
                 .text = {}});
    }
    nameCases();
}

/// The first cases that have a point, in the legend.
void RooflineView::nameCases() {
    std::set<int> shown;
    for (const Timing& each : data_.points) shown.insert(each.binding);
    for (const int binding : shown) {
        if (plot().legend->itemCount() == most_cases_in_legend) return;
        QCPGraph* cloud = clouds_[2 * static_cast<std::size_t>(binding)];
        cloud->setName(caseText(data_.catalogue.cases[static_cast<std::size_t>(binding)]));
        cloud->addToLegend();
    }
}

void RooflineView::drawSteps() {
    const int cases = std::max(1, static_cast<int>(data_.catalogue.cases.size()));
    const int rounds = std::min(most_rounds, most_steps / cases + 1);
    const int newest = data_.points.back().round->number;
    const bool recent = centre_ > newest - rounds;
    const std::vector<RooflineStep> steps = stepsUpTo(data_, recent ? newest : centre_, rounds);
    rounds_with_arrows_ = newest - data_.points.front().round->number >= rounds ? rounds : 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Timing& from = data_.points[steps[i].from];
        const double age = static_cast<double>(i + 1) / static_cast<double>(steps.size());
        auto* curve = new QCPItemCurve(&plot());
        curve->setSelectable(false);
        for (QCPItemPosition* each : curve->positions()) each->setType(QCPItemPosition::ptAbsolute);
        curve->setPen(QPen(faded(seriesColour(colours(), from.binding), 0.25 + 0.6 * age), 1.2));
        curve->setHead({QCPLineEnding::esSpikeArrow, 6, 8});
        arrows_.push_back(
            {.curve = curve, .from = &from.timing->roofline, .to = &data_.points[steps[i].to].timing->roofline});
    }
}

void RooflineView::describe() {
    QStringList notes;
    if (data_.roofs.empty()) notes << tr("No ceilings: press Ctrl+M to measure them");
    if (rounds_with_arrows_ > 0) notes << tr("Arrows for %1 rounds at a time").arg(rounds_with_arrows_);
    if (std::ranges::any_of(data_.points, [](const Timing& each) { return is_noisy(*each.timing); }))
        notes << unsureNote();
    if (data_.elsewhere > 0) notes << tr("Rounds on other devices, not shown: %1").arg(data_.elsewhere);
    setCaption(notes);
}

/// Passes the visible samples to each point cloud.
void RooflineView::rangeChanged() {
    if (clouds_.empty() || data_.points.empty()) return;
    placeRoofs();
    const QCPRange x = plot().xAxis->range(), y = plot().yAxis->range();
    const CloudView view{.low = {std::log10(x.lower), std::log10(y.lower)},
                         .high = {std::log10(x.upper), std::log10(y.upper)},
                         .columns = grid_columns,
                         .rows = grid_rows};
    std::vector<QVector<QCPGraphData>> shown(clouds_.size());
    for (const std::size_t i : thinnedCloud(places_, view, most_drawn_points)) {
        const Timing& point = data_.points[i];
        const RooflinePoint& place = point.timing->roofline;
        shown[cloudOf(point)].append({place.intensity, place.gflops});
    }
    for (std::size_t i = 0; i < clouds_.size(); ++i) clouds_[i]->data()->set(shown[i], false);
}

void RooflineView::arrange() {
    placeLabels();
    placeArrows();
}

/// Places the labels of ceilings: those of levels at the right, those of diagonals along them where they touch nothing.
/// A label without the room for it is left out.
void RooflineView::placeLabels() {
    const auto is_level = [](const RoofLine& each) { return each.roof.kind == Roof::Kind::flops; };
    std::vector<const RoofLine*> visible;
    for (const RoofLine& each : roofs_) {
        each.label->setVisible(false);
        if (each.line->visible()) visible.push_back(&each);
    }
    std::ranges::sort(visible, std::greater(), [](const RoofLine* each) { return each->roof.value; });
    std::vector<QPointF> taken = visibleMarks();
    QRectF above;
    for (const RoofLine* each : visible) {
        if (is_level(*each)) placeLevel(*each, above, taken);
    }
    double below = plot().axisRect()->left();
    for (const RoofLine* each : visible) {
        if (!is_level(*each)) placeDiagonal(*each, taken, below);
    }
}

/// Places the label of a horizontal ceiling. That of the highest ceiling lies above its line where there is room, the
/// others below theirs, right of all diagonals.
void RooflineView::placeLevel(const RoofLine& level, QRectF& above, std::vector<QPointF>& taken) {
    const QRectF area = plot().axisRect()->rect();
    const double value = level.roof.value, y = plot().yAxis->coordToPixel(value);
    const QSizeF size = sizeOf(*level.label);
    const bool over = value == highest(data_.roofs, true) && y - size.height() >= area.top();
    const QRectF place(QPointF(area.right() - 6 - size.width(), over ? y - size.height() : y), size);
    const double diagonals = lowestDiagonal(data_.roofs);
    const bool crossed = !over && diagonals > 0 && place.left() < plot().xAxis->coordToPixel(value / diagonals);
    if (crossed || !area.contains(place) || place.intersects(above)) return;
    level.label->setPositionAlignment(Qt::AlignRight | (over ? Qt::AlignBottom : Qt::AlignTop));
    level.label->position->setCoords(place.right(), y);
    level.label->setVisible(true);
    above = place;
    for (double x = place.left(); x < place.right(); x += size.height() / 2) {
        taken.insert(taken.end(), {QPointF(x, place.top()), QPointF(x, place.bottom())});
    }
}

/// Places the label of a diagonal ceiling. That of the highest ceiling lies above its line, the others below theirs and
/// one after the other, from `below` on.
void RooflineView::placeDiagonal(const RoofLine& diagonal, const std::vector<QPointF>& taken, double& below) {
    const QCPAxis *x = plot().xAxis, *y = plot().yAxis;
    const double value = diagonal.roof.value, peak = highest(data_.roofs, true);
    const bool above = value == highest(data_.roofs, false);
    const double from = above ? plot().axisRect()->left() : below;
    // What lies below its line begins so high that it stays within the axes.
    const double lowest = y->pixelToCoord(plot().axisRect()->bottom() - (above ? 0 : sizeOf(*diagonal.label).height()));
    const double first = std::max(from, x->coordToPixel(lowest / value)) + 8;
    const double highest_shown = peak > 0 ? std::min(peak, y->range().upper) : y->range().upper;
    const double last = std::max(first + 1, x->coordToPixel(highest_shown / value));
    const auto at = [&](double pixel) { return QPointF(pixel, y->coordToPixel(value * x->pixelToCoord(pixel))); };
    const QLineF line(at(first), at(last));
    for (const bool full : {true, false}) {
        diagonal.label->setText(roofText(diagonal.roof, full));
        const QSizeF size = sizeOf(*diagonal.label);
        const std::optional<double> begin = placeAlong(line, size, above, taken);
        if (!begin) continue;
        diagonal.label->setPositionAlignment(Qt::AlignLeft | (above ? Qt::AlignBottom : Qt::AlignTop));
        diagonal.label->setRotation(-line.angle());
        diagonal.label->position->setPixelPosition(line.pointAt(*begin / line.length()));
        diagonal.label->setVisible(true);
        if (!above) below = line.pointAt((*begin + size.width()) / line.length()).x();
        return;
    }
}

std::vector<QPointF> RooflineView::visibleMarks() const {
    std::vector<QPointF> marks;
    for (const QCPGraph* cloud : clouds_) {
        for (const QCPGraphData& each : *cloud->data()) marks.push_back(cloud->coordsToPixels(each.key, each.value));
    }
    return marks;
}

/// Bows each arrow by its length on the screen, from beside its first point to beside its second; those too short to be
/// seen are left out.
void RooflineView::placeArrows() {
    const auto pixelOf = [this](const RooflinePoint& place) {
        return QPointF(plot().xAxis->coordToPixel(place.intensity), plot().yAxis->coordToPixel(place.gflops));
    };
    for (const auto& [curve, from, to] : arrows_) {
        const QPointF start = pixelOf(*from), end = pixelOf(*to);
        const double rise = start.y() - end.y();
        const double side = std::clamp(bow * rise, -widest_bow, widest_bow);
        const QPointF beside(std::copysign(beside_point, side), 0);
        curve->start->setPixelPosition(start + beside);
        curve->end->setPixelPosition(end + beside);
        curve->startDir->setPixelPosition(start + beside + QPointF(side, 0));
        curve->endDir->setPixelPosition(end + beside + QPointF(side, 0));
        curve->setVisible(std::abs(rise) >= shortest_arrow);
    }
}

}  // namespace kernelgen::studio
