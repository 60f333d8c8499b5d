// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/story_card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "app/studio/diagnosis/strategy_words.h"
#include "app/studio/operator/section.h"
#include "app/studio/rounds/words.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/report/applied_words.h"
#include "core/round/best.h"
#include "core/round/noise.h"

namespace kernelgen::studio {

namespace {

QString speedupOf(const Round& round) {
    const RoundCase* deciding = round.status == Status::ok ? deciding_case(round) : nullptr;
    if (deciding == nullptr) return word(round.status);
    const QString figure = QStringLiteral("%1×").arg(deciding->speedup, 0, 'f', 3);
    return is_noisy(*deciding) ? unsureText(figure) : figure;
}

QString roundLink(const Round& round, const QColor& colour) {
    return QStringLiteral("<a href='%1' style='color: %2'>%3</a>")
        .arg(round.number)
        .arg(colour.name(), StoryCard::tr("Round %1").arg(round.number));
}

/// A round with its strategy as some lines; of the start only how fast it was.
QString storyOf(const Round& round, const std::vector<Rule>& rules, const Colours& colours) {
    const QString head = roundLink(round, colours.accent) + QStringLiteral(" · ") + speedupOf(round).toHtmlEscaped();
    if (!round.applied) return head + QStringLiteral(" · ") + StoryCard::tr("where it began").toHtmlEscaped();
    const AppliedWords words = words_of(round, rules, windowPhrases());
    QStringList lines{head + QStringLiteral(" · <b>%1</b>").arg(plain(words.strategy).toHtmlEscaped())};
    const auto add = [&](const QString& text) { lines << text.toHtmlEscaped(); };
    if (!words.finding.empty()) add(StoryCard::tr("Because of %1").arg(plain(words.finding)));
    add(StoryCard::tr("Expected: %1").arg(plain(words.expected)));
    add(StoryCard::tr("What came of it: %1").arg(plain(words.outcome)));
    return lines.join("<br>");
}

}  // namespace

StoryCard::StoryCard(const OptimizationStory& story, QWidget* parent)
    : QFrame(parent),
      story_(story),
      state_(new QLabel),
      stage_(new ElidedLabel),
      rounds_(new QLabel),
      stop_(new QPushButton(tr("Stop"))),
      best_(new QPushButton(tr("Show the best round"))),
      done_(new Section(tr("What was done"), rounds_)) {
    setObjectName("story_card");
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Optimisation"));
    state_->setObjectName("story_state");
    state_->setWordWrap(true);
    stop_->setObjectName("story_stop");
    stop_->setToolTip(tr("The round under work is not recorded; those before it stay (Ctrl+.)"));
    best_->setObjectName("story_best");
    rounds_->setObjectName("story_rounds");
    rounds_->setWordWrap(true);
    rounds_->setTextFormat(Qt::RichText);
    rounds_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    rounds_->setAccessibleName(tr("Rounds of the optimisation"));
    auto* line = new QHBoxLayout;
    line->addWidget(state_, 1);
    line->addWidget(best_, 0, Qt::AlignTop);
    line->addWidget(stop_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 5, 8, 5);
    column->setSpacing(3);
    column->addLayout(line);
    column->addWidget(stage_);
    column->addWidget(done_);
    connect(stop_, &QPushButton::clicked, this, &StoryCard::stopWanted);
    connect(best_, &QPushButton::clicked, this, [this] {
        if (story_.best()) emit roundWanted(*story_.best());
    });
    connect(rounds_, &QLabel::linkActivated, this, [this](const QString& link) { emit roundWanted(link.toInt()); });
    connect(&story_, &OptimizationStory::changed, this, &StoryCard::refresh);
    refresh();
}

void StoryCard::setRules(std::vector<Rule> rules) {
    rules_ = std::move(rules);
    rounds_->setText(roundsText());
}

void StoryCard::showStage(const QString& stage) { stage_->setText(stage); }

QString StoryCard::stateText() const {
    const auto made = std::max<std::ptrdiff_t>(0, std::ssize(story_.rounds()) - 1);
    if (!story_.isRunning()) {
        QString text =
            tr("The optimisation ended after %n round(s): %1", nullptr, static_cast<int>(made)).arg(story_.reason());
        if (story_.best()) text = tr("%1; best is round %2").arg(text).arg(*story_.best());
        return text;
    }
    if (story_.rounds().empty()) return tr("Optimising: first the variant is measured as it is");
    if (!story_.next()) return tr("Optimising");
    const Proposal& next = *story_.next();
    return tr("Optimising, round %1 of at most %2: %3 (%4), %5")
        .arg(made + 1)
        .arg(story_.mostRounds())
        .arg(titleOfStrategy(next.strategy), toQt(next.line), expectationOf(next));
}

QString StoryCard::roundsText() const {
    QStringList parts;
    const Colours colours = coloursOf(palette());
    for (const Round& each : story_.rounds())
        parts << QStringLiteral("<p style='margin: 2px 0 4px 0'>%1</p>").arg(storyOf(each, rules_, colours));
    for (const QString& each : story_.warnings())
        parts << QStringLiteral("<p>%1</p>").arg(tr("Not applied: %1").arg(each).toHtmlEscaped());
    return parts.join(QString());
}

void StoryCard::refresh() {
    setVisible(story_.isRunning() || !story_.reason().isEmpty());
    state_->setText(stateText());
    state_->setAccessibleName(state_->text());
    stage_->setVisible(story_.isRunning());
    if (!story_.isRunning()) stage_->clear();
    stop_->setVisible(story_.isRunning());
    stop_->setIcon(icon("stop", palette()));
    best_->setVisible(!story_.isRunning() && story_.best().has_value());
    rounds_->setText(roundsText());
    done_->setVisible(!story_.rounds().empty());
}

void StoryCard::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace kernelgen::studio
