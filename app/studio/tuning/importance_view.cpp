// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/importance_view.h"

#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/charts/text_ticker.h"

namespace kernelgen::studio {

namespace {

constexpr double importance_bar = 0.6;   ///< of the distance between two
constexpr double room_for_text = 1.4;    ///< of the longest bar, with its text behind it
constexpr std::size_t few_for_each = 5;  ///< results to a tunable, below which shares are unsure

QString shareText(double share) {
    constexpr double least = 1e-3;
    return share < least ? QStringLiteral("< ") + percentText(least) : percentText(share);
}

}  // namespace

ImportanceView::ImportanceView(QWidget* parent) : TuningView(tr("Which tunable matters"), parent) {}

QString ImportanceView::prepare() {
    const QString missing = TuningView::prepare();
    if (!missing.isEmpty()) return missing;
    importance_ = importance_of(tuning());
    return importance_ ? QString() : tr("Ten configurations that succeed, with different times, are needed for this");
}

void ImportanceView::draw() {
    const Importance& importance = *importance_;
    HumanTicker::place(plot().xAxis, HumanTicker::Scale::linear, percentText);
    const auto names = TextTicker::place(plot().yAxis);
    const std::size_t count = importance.tunables.size();
    double longest = 0.05;
    for (std::size_t i = 0; i < count; ++i) {
        const double place = -static_cast<double>(i);
        names->addTick(place, toQt(importance.tunables[i].name));
        drawBar(importance.tunables[i], place);
        longest = std::max(longest, importance.tunables[i].share);
    }
    setLabels({tr("Share of the variance of log(objective)"), tr("Share of the variance")}, QString());
    setFit({0, std::min(1.0, longest) * room_for_text}, {-static_cast<double>(count) + 0.4, 0.6});
    QStringList notes{
        tr("Analysis of variance, main effects"),
        tr("together %1 of %2 results").arg(percentText(importance.explained)).arg(importance.configurations)};
    if (importance.configurations < few_for_each * count) notes << tr("few results: unsure");
    setCaption(notes);
}

void ImportanceView::drawBar(const Importance::OfTunable& tunable, double place) {
    const QColor colour = seriesColour(colours(), 0);
    auto* bar = new QCPBars(plot().yAxis, plot().xAxis);
    bar->setWidth(importance_bar);
    bar->setPen(QPen(colour, 1));
    bar->setBrush(faded(colour, 0.6));
    bar->addData(place, tunable.share);
    QCPItemText* text = addText(shareText(tunable.share), palette().color(QPalette::Text));
    text->position->setCoords(tunable.share, place);
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    text->setPadding({6, 0, 0, 0});
    addMark({.x = tunable.share,
             .y = place,
             .axis = plot().yAxis,
             .text = tr("%1: without it, a sum of effects of the other tunables' values explains %2 less of the "
                        "variance of the objective's logarithm. What tunables do only together is not in it.")
                         .arg(toQt(tunable.name), shareText(tunable.share))});
}

}  // namespace kernelgen::studio
