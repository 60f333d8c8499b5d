// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/indicator_strip.h"

#include <QEvent>
#include <QLabel>
#include <QToolButton>
#include <initializer_list>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/flow_layout.h"
#include "app/studio/application/language.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

/// What an indicator says, and in what colour.
struct IndicatorText {
    QString mark, title, value, goal, verdict, tip;
    QColor colour;
    bool is_plain = false;  ///< the mark tells all
};

QString whyOutOfReach(const std::string& name) {
    if (name == metrics::cache_hit_rate.name)
        return IndicatorStrip::tr("With cold caches a byte that is read once misses: only what is written can hit");
    return IndicatorStrip::tr(
        "By the roofline: what the kernel must move and compute takes the device so long at its measured ceilings");
}

IndicatorText textOf(const Indicator& indicator, bool is_noisy, const Colours& colours) {
    const Metric* metric = find_metric(indicator.name);
    if (metric == nullptr) return {};
    IndicatorText text{.mark = QStringLiteral("–"),
                       .title = titleOf(*metric),
                       .value = {},
                       .goal = IndicatorStrip::tr("goal > %1").arg(valueOf(*metric, indicator.goal)),
                       .verdict = IndicatorStrip::tr("not measured"),
                       .tip = meaningOf(*metric),
                       .colour = colours.muted};
    if (!indicator.value) {
        const QString why = inWords(indicator.reason);
        text.tip += '\n' + (why.isEmpty() ? IndicatorStrip::tr("No round has measured it") : why);
        return text;
    }
    const bool is_by_time = indicator.name != metrics::cache_hit_rate.name;
    text.value = valueOf(*metric, *indicator.value);
    if (is_noisy && is_by_time) text.value = unsureText(text.value);
    if (indicator.lower)
        text.tip += '\n' + IndicatorStrip::tr("Its interval begins at %1; that decides whether the goal is reached")
                               .arg(valueOf(*metric, *indicator.lower));
    text.mark = indicator.reached() ? QStringLiteral("✓") : QStringLiteral("✗");
    text.verdict = indicator.reached() ? IndicatorStrip::tr("reached") : IndicatorStrip::tr("not reached");
    text.colour = indicator.reached() ? colours.good : colours.bad;
    text.is_plain = !indicator.reachable;
    if (!indicator.reachable) return text;
    text.colour = colours.warning;
    text.verdict = IndicatorStrip::tr("out of reach: at most %1").arg(valueOf(*metric, *indicator.reachable));
    text.tip += '\n' + whyOutOfReach(indicator.name);
    return text;
}

/// The text of an indicator. Its mark tells whether the goal is reached. A goal that is out of reach, or a value that
/// was not measured, is told in words.
QString shownOf(const IndicatorText& text, const Colours& colours) {
    const auto coloured = [](const QString& words, const QColor& colour) {
        return QStringLiteral("<span style='color: %1'>%2</span>").arg(colour.name(), words.toHtmlEscaped());
    };
    QString shown = coloured(text.mark, text.colour) + QStringLiteral(" <b>%1</b> %2 ").arg(text.title, text.value) +
                    coloured('(' + text.goal + ')', colours.muted);
    if (!text.is_plain) shown += ' ' + coloured(text.verdict, text.colour);
    return shown;
}

}  // namespace

IndicatorStrip::IndicatorStrip(QWidget* before, QWidget* behind, QWidget* parent)
    : QWidget(parent), goals_(new QToolButton), behind_(behind) {
    auto* line = new FlowLayout(this);
    line->setContentsMargins({});
    line->setSpacing(8);
    goals_->setObjectName("goals");
    goals_->setText(tr("Goals…"));
    goals_->setAccessibleName(tr("Goals"));
    goals_->setToolTip(tr("Change the goals of the indicators; that of the speedup is the project's target"));
    goals_->setAutoRaise(true);
    goals_->setFocusPolicy(Qt::StrongFocus);
    connect(goals_, &QToolButton::clicked, this, &IndicatorStrip::goalsWanted);
    line->addWidget(before);
    line->addWidget(goals_);
    line->addWidget(behind_);
    refresh();
}

void IndicatorStrip::present(const std::vector<Indicator>& indicators, bool is_noisy) {
    indicators_ = indicators;
    is_noisy_ = is_noisy;
    refresh();
}

void IndicatorStrip::addLabel() {
    auto* label = new QLabel;
    label->setObjectName("indicator");
    label->setTextFormat(Qt::RichText);
    label->setMinimumHeight(behind_->sizeHint().height());
    labels_.push_back(label);
    for (QWidget* each : std::initializer_list<QWidget*>{goals_, behind_}) layout()->removeWidget(each);
    for (QWidget* each : std::initializer_list<QWidget*>{label, goals_, behind_}) layout()->addWidget(each);
}

void IndicatorStrip::refresh() {
    goals_->setVisible(!indicators_.empty());
    while (labels_.size() < indicators_.size()) addLabel();
    const Colours colours = coloursOf(palette());
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        labels_[i]->setVisible(i < indicators_.size());
        if (i >= indicators_.size()) continue;
        const IndicatorText text = textOf(indicators_[i], is_noisy_, colours);
        labels_[i]->setText(shownOf(text, colours));
        labels_[i]->setToolTip(text.verdict + '\n' + text.tip);
        labels_[i]->setAccessibleName(
            QStringList{text.title, text.value, text.goal, text.verdict}.join(QStringLiteral(", ")));
        labels_[i]->setAccessibleDescription(text.tip);
    }
}

void IndicatorStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace kernelgen::studio
