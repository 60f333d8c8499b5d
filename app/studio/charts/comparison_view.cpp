// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/comparison_view.h"

#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/status_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/charts/text_ticker.h"

namespace kernelgen::studio {

namespace {

constexpr double bar_width = 0.62;  ///< of the distance between two
constexpr double label_width = 26;  ///< beside a bar, in characters
constexpr double least_bars = 0.3;  ///< of the width, for the longest bar
constexpr int label_gap = 8;        ///< pixels between a bar and its label

/// How much longer than the longest bar the axis is, so that the labels have room.
double stretchForLabels(const QWidget& chart) {
    const double label = label_width * chart.fontMetrics().averageCharWidth() / std::max(1, chart.width());
    return 1 / std::max(least_bars, 1 - label - 0.2);
}

QString joined(const QStringList& parts) { return parts.join(QStringLiteral(" · ")); }

QStringList labelOf(const ComparedCase& compared) {
    if (!compared.isTimed()) return {word(compared.status)};
    QStringList parts{(compared.noise.isEmpty() ? "" : "≈ ") + ratioText(compared.speedup),
                      secondsText(compared.seconds)};
    if (compared.bandwidth_gbps > 0) parts << bandwidthText(compared.bandwidth_gbps);
    return parts;
}

QString tipOfCompared(const ComparedCase& compared) {
    if (!compared.isTimed()) {
        return QStringLiteral("%1: %2").arg(compared.variant, inWords(compared.status, compared.reason));
    }
    QStringList lines{ComparisonView::tr("%1: speedup %2, 95 % interval %3 to %4")
                          .arg(compared.variant, ratioText(compared.speedup), ratioText(compared.speedup_lower),
                               ratioText(compared.speedup_upper)),
                      ComparisonView::tr("median %1").arg(secondsText(compared.seconds))};
    if (!compared.noise.isEmpty()) lines << compared.noise;
    if (!compared.configuration.empty()) lines << configurationText(compared.configuration);
    return lines.join('\n');
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent) : ChartView(tr("Variants side by side"), parent) {}

void ComparisonView::present(std::vector<ComparedCase> cases, const QString& baseline, const QString& caption,
                             int number) {
    number_ = number;
    cases_ = fastestFirst(std::move(cases));
    baseline_ = baseline;
    caption_ = caption;
    if (cases_.empty()) return showMessage(tr("No variant was compared"));
    redraw();
}

void ComparisonView::draw() {
    labels_.clear();
    placeAxes();
    drawBaseline();
    for (std::size_t i = 0; i < cases_.size(); ++i) {
        const double place = -static_cast<double>(i);
        if (cases_[i].isTimed()) drawBar(cases_[i], place);
        drawLabel(cases_[i], place);
        addMark({.x = cases_[i].speedup, .y = place, .axis = plot().yAxis, .text = tipOfCompared(cases_[i])});
    }
    setCaption({caption_});
}

/// The fastest stands highest.
void ComparisonView::placeAxes() {
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::linear, ratioText);
    const auto names = TextTicker::place(plot().yAxis);
    for (std::size_t i = 0; i < cases_.size(); ++i) names->addTick(-static_cast<double>(i), cases_[i].variant);
    setLabels({tr("Speedup over %1").arg(baseline_), titleOf(metrics::speedup)}, QString());
    sizeChanged();
}

/// The labels beside the bars take what they need of any width.
void ComparisonView::sizeChanged() {
    double longest = 1;
    for (const ComparedCase& each : cases_) longest = std::max({longest, each.speedup, each.speedup_upper});
    setFit({0, longest * stretchForLabels(*this)}, {-static_cast<double>(cases_.size()) + 0.4, 0.6});
    if (!isZoomed()) fit();
}

void ComparisonView::drawBaseline() {
    auto* line = new QCPItemStraightLine(&plot());
    line->point1->setCoords(1, 0);
    line->point2->setCoords(1, 1);
    line->setPen(QPen(colours().muted, 1, Qt::DashLine));
    line->setSelectable(false);
}

/// The fastest is full, and what noise makes unsure is hatched.
QBrush ComparisonView::brushOfBar(const ComparedCase& compared, const QColor& colour) const {
    const QColor fill = faded(colour, &compared == &cases_.front() ? 0.8 : 0.4);
    return {fill, compared.noise.isEmpty() ? Qt::SolidPattern : Qt::BDiagPattern};
}

void ComparisonView::drawBar(const ComparedCase& compared, double place) {
    const QColor colour = compared.is_baseline ? colours().muted : seriesColour(colours(), number_);
    auto* bar = new QCPBars(plot().yAxis, plot().xAxis);
    bar->setWidth(bar_width);
    bar->setPen(QPen(colour, 1));
    bar->setBrush(brushOfBar(compared, colour));
    bar->addData(place, compared.speedup);
    auto* interval = new QCPErrorBars(plot().yAxis, plot().xAxis);
    interval->setDataPlottable(bar);
    interval->setErrorType(QCPErrorBars::etValueError);
    interval->setPen(QPen(palette().color(QPalette::Text), 1.2));
    interval->setSymbolGap(0);
    interval->addData(compared.speedup - compared.speedup_lower, compared.speedup_upper - compared.speedup);
}

void ComparisonView::drawLabel(const ComparedCase& compared, double place) {
    const QColor text = palette().color(QPalette::Text);
    const QStringList parts = labelOf(compared);
    QCPItemText* label = addText(joined(parts), compared.isTimed() ? text : colourOf(compared.status, palette()));
    label->position->setCoords(std::max(compared.speedup, compared.speedup_upper), place);
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label->setPadding({label_gap, 0, 0, 0});
    labels_.push_back({label, parts});
}

/// A bar has its label where it has its name on the axis.
void ComparisonView::laidOut() {
    const QVector<QString> names = plot().yAxis->tickVectorLabels();
    const QVector<double> places = plot().yAxis->tickVector();
    for (auto [label, parts] : labels_) {
        const auto tick = places.indexOf(label->position->value());
        label->setVisible(tick >= 0 && !names[tick].isEmpty());
        const double room = plot().axisRect()->right() - label->position->pixelPosition().x() - label_gap;
        const QFontMetricsF metrics(label->font());
        while (parts.size() > 1 && metrics.horizontalAdvance(joined(parts)) > room) parts.removeLast();
        label->setText(joined(parts));
    }
}

}  // namespace kernelgen::studio
