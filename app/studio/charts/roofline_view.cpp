// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/roofline_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"

namespace kernelgen::studio {

namespace {

constexpr int most_points = 4000;  ///< drawn at a time
constexpr int grid_columns = 300, grid_rows = 200;
constexpr int most_steps = 150;  ///< arrows
constexpr int most_rounds = 50;  ///< whose arrows are drawn
constexpr double bow = 0.35;     ///< of its length an arrow swings out, since rounds of one case lie on one vertical
constexpr double widest_bow = 26, shortest_arrow = 12, beside_point = 6;  ///< pixels
constexpr double degrees = 57.29577951308232;

QString roofText(const Roof& roof) {
    switch (roof.kind) {
        case Roof::Kind::copy:
            return RooflineView::tr("copy %1 (%2)").arg(bandwidthText(roof.value), bytesText(roof.bytes));
        case Roof::Kind::read:
            return RooflineView::tr("read %1 (%2)").arg(bandwidthText(roof.value), bytesText(roof.bytes));
        case Roof::Kind::write:
            return RooflineView::tr("write %1 (%2)").arg(bandwidthText(roof.value), bytesText(roof.bytes));
        case Roof::Kind::flops: break;
    }
    return QStringLiteral("%1 %2").arg(toQt(to_string(roof.dtype)), flopsText(roof.value));
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
    plot().xAxis->setLabel(tr("Arithmetic intensity, FLOP/byte"));
    plot().yAxis->setLabel(tr("GFLOP/s"));
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
    setFit({left / 6, right * 5}, {low / 2.5, std::max(high, peak) * 2.2});
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
    QCPItemText* label = addText(roofText(roof), colours().muted);
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
        each.label->setVisible(visible);
    }
}

void RooflineView::drawPoints() {
    clouds_.clear();
    const int newest = data_.points.back().round->number;
    std::vector<QCPGraph*> heads;
    for (std::size_t i = 0; i < data_.catalogue.cases.size(); ++i) {
        const QColor colour = seriesColour(colours(), static_cast<int>(i));
        auto* cloud = plot().addGraph();
        cloud->setLineStyle(QCPGraph::lsNone);
        cloud->setAdaptiveSampling(false);
        cloud->setScatterStyle({QCPScatterStyle::ssCircle, QPen(colour, 1.4), faded(colour, 0.25), 6});
        clouds_.push_back(cloud);
    }
    for (std::size_t i = 0; i < data_.catalogue.cases.size(); ++i) {
        const QColor colour = seriesColour(colours(), static_cast<int>(i));
        auto* head = plot().addGraph();
        head->setLineStyle(QCPGraph::lsNone);
        head->setScatterStyle({QCPScatterStyle::ssDisc, QPen(colour, 1), colour, 10});
        head->setName(caseText(data_.catalogue.cases[i]));
        if (i < most_cases_in_legend) head->addToLegend();
        heads.push_back(head);
    }
    for (const Timing& each : data_.points) {
        const RooflinePoint& place = each.timing->roofline;
        if (each.round->number == newest) {
            heads[static_cast<std::size_t>(each.binding)]->addData(place.intensity, place.gflops);
        }
        addMark({.x = place.intensity,
                 .y = place.gflops,
                 .axis = plot().yAxis,
                 .round = each.round,
                 .timing = each.timing,
                 .text = {}});
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
    if (data_.roofs.empty()) notes << tr("Ceilings were not measured: press Ctrl+M");
    if (rounds_with_arrows_ > 0) notes << tr("Arrows for %1 rounds at a time").arg(rounds_with_arrows_);
    if (data_.elsewhere > 0) notes << tr("Rounds on other devices, not shown: %1").arg(data_.elsewhere);
    setCaption(notes.join(QStringLiteral(" · ")));
}

/// Gives the clouds what of them is visible.
void RooflineView::rangeChanged() {
    if (clouds_.empty() || data_.points.empty()) return;
    placeRoofs();
    const QCPRange x = plot().xAxis->range(), y = plot().yAxis->range();
    const CloudView view{.low = {std::log10(x.lower), std::log10(y.lower)},
                         .high = {std::log10(x.upper), std::log10(y.upper)},
                         .columns = grid_columns,
                         .rows = grid_rows};
    std::vector<QVector<QCPGraphData>> shown(clouds_.size());
    for (const std::size_t i : thinnedCloud(places_, view, most_points)) {
        const Timing& point = data_.points[i];
        const RooflinePoint& place = point.timing->roofline;
        shown[static_cast<std::size_t>(point.binding)].append({place.intensity, place.gflops});
    }
    for (std::size_t i = 0; i < clouds_.size(); ++i) clouds_[i]->data()->set(shown[i], false);
}

void RooflineView::arrange() {
    placeLabels();
    placeArrows();
}

/// Lays each label along its line, of the highest above it and of others below: of diagonals one after the other, of
/// levels at the right.
void RooflineView::placeLabels() {
    const QCPAxis *x = plot().xAxis, *y = plot().yAxis;
    const QRect area = plot().axisRect()->rect();
    const double decades_across = std::log10(x->range().upper / x->range().lower);
    const double decades_up = std::log10(y->range().upper / y->range().lower);
    const double slope = std::atan2(area.height() / decades_up, area.width() / decades_across);
    const double top = highest(data_.roofs, false), peak = highest(data_.roofs, true);
    double next = area.left() + 8.0;
    for (const auto& [roof, line, label] : roofs_) {
        if (roof.kind == Roof::Kind::flops) {
            label->setPositionAlignment(Qt::AlignRight | (roof.value == peak ? Qt::AlignBottom : Qt::AlignTop));
            label->position->setCoords(area.right() - 6, y->coordToPixel(roof.value));
            continue;
        }
        const bool above = roof.value == top;
        const double enters = x->coordToPixel(y->range().lower / roof.value) + 8;
        const double left = std::max(enters, above ? area.left() + 8.0 : next);
        label->setPositionAlignment(Qt::AlignLeft | (above ? Qt::AlignBottom : Qt::AlignTop));
        label->setRotation(-slope * degrees);
        label->position->setCoords(left, y->coordToPixel(roof.value * x->pixelToCoord(left)));
        const int width = QFontMetrics(label->font()).horizontalAdvance(label->text());
        if (!above) next = left + (width + 12) * std::cos(slope);
    }
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
