// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/diagnosis_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/diagnosis/apply_dialog.h"
#include "app/studio/diagnosis/counter_table.h"
#include "app/studio/diagnosis/finding_card.h"
#include "app/studio/diagnosis/indicator_strip.h"
#include "app/studio/diagnosis/optimize_dialog.h"
#include "app/studio/diagnosis/story_card.h"
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

constexpr int wait_for_strategies = 20;  ///< ms: mostly they follow the causes at once, and cards are made only once
constexpr int wait_for_causes = 250;     ///< ms: so long the cards of the round before stay

}  // namespace

DiagnosisPanel::DiagnosisPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      cases_(new QComboBox),
      optimize_(new QPushButton(tr("Optimise…"))),
      indicators_(new IndicatorStrip(cases_, optimize_)),
      scroll_(new QScrollArea),
      story_(new StoryCard(session.story())),
      message_(new QLabel) {
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(4, 4, 0, 0);
    rows->setSpacing(4);
    prepareHead();
    rows->addWidget(indicators_);
    makeContent();
    rows->addWidget(scroll_, 1);
    connectSession();
    refresh();
}

void DiagnosisPanel::prepareHead() {
    cases_->setObjectName("diagnosis_case");
    cases_->setAccessibleName(tr("Case"));
    cases_->setToolTip(tr("The timed case whose diagnosis is shown; strategies are for all of them"));
    cases_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    optimize_->setObjectName("optimize");
    connect(cases_, &QComboBox::activated, this, &DiagnosisPanel::showCards);
    connect(optimize_, &QPushButton::clicked, this, &DiagnosisPanel::optimize);
    connect(indicators_, &IndicatorStrip::goalsWanted, this, &DiagnosisPanel::goalsWanted);
}

void DiagnosisPanel::makeContent() {
    auto* content = new QWidget;
    column_ = new QVBoxLayout(content);
    column_->setContentsMargins(0, 0, 4, 4);
    column_->setSpacing(6);
    column_->addWidget(story_);
    message_->setObjectName("diagnosis_message");
    message_->setWordWrap(true);
    message_->setAlignment(Qt::AlignCenter);
    column_->addWidget(message_, 1);
    column_->addStretch();
    scroll_->setWidget(content);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setObjectName("diagnosis_scroll");
    scroll_->setAccessibleName(tr("Findings"));
    connect(story_, &StoryCard::stopWanted, this, [this] { session_.engine().stop(); });
    connect(story_, &StoryCard::roundWanted, this, [this](int number) { session_.selectRound(number); });
}

void DiagnosisPanel::connectSession() {
    connect(&session_.diagnoses(), &Diagnoses::changed, this, &DiagnosisPanel::refreshSoon);
    const auto refresh_advice = [this] {
        if (!session_.diagnoses().round()) refreshSoon();
    };
    connect(&session_.rounds(), &RoundStore::changed, this, refresh_advice);
    connect(&session_, &Session::variantChanged, this, refresh_advice);
    connect(&session_.engine(), &Engine::devicesChanged, this, refresh_advice);
    turn_.setSingleShot(true);
    connect(&turn_, &QTimer::timeout, this, &DiagnosisPanel::refresh);
    for (const auto signal : {&ProjectDocument::changed, &ProjectDocument::modifiedChanged})
        connect(&session_.document(), signal, this, &DiagnosisPanel::updateButtons);
    connect(&session_, &Session::variantChanged, this, &DiagnosisPanel::updateButtons);
    connect(&session_.engine(), &Engine::runningChanged, this, &DiagnosisPanel::updateButtons);
    connect(&session_.engine(), &Engine::devicesChanged, this, &DiagnosisPanel::updateButtons);
    connect(&session_.engine(), &Engine::runProgressed, story_,
            [this](const QString& stage) { story_->showStage(stageInWords(stage)); });
}

/// Refreshes the panel soon: changes that follow each other closely are shown at once.
void DiagnosisPanel::refreshSoon() {
    updateButtons();
    const Diagnoses& diagnoses = session_.diagnoses();
    const bool is_whole =
        !diagnoses.round() || diagnoses.strategies() || (diagnoses.causes() && diagnoses.causes()->cases.empty());
    turn_.start(is_whole ? 0 : diagnoses.causes() ? wait_for_strategies : wait_for_causes);
}

/// Makes the panel's contents anew, unless it is behind another tab.
void DiagnosisPanel::refresh() {
    turn_.stop();
    updateButtons();
    if (!isVisible()) return;
    if (const auto& causes = session_.diagnoses().causes()) story_->setRules(causes->book.rules);
    fillCases();
    showCards();
}

/// The case by which the round is judged is shown first.
void DiagnosisPanel::fillCases() {
    const auto& causes = session_.diagnoses().causes();
    const std::optional<int> round = session_.diagnoses().round();
    QStringList names;
    if (causes) {
        for (const Diagnosis& each : causes->cases) names << toQt(each.evidence.binding.name);
    }
    const QString before = shown_ == round ? cases_->currentText() : QString();
    const QSignalBlocker quiet(cases_);
    cases_->clear();
    cases_->addItems(names);
    cases_->setVisible(names.size() > 1);
    if (causes) shown_ = round;
    const RoundCase* deciding = causes && causes->detail ? deciding_case(causes->detail->round) : nullptr;
    const QString wanted = names.contains(before) ? before
                           : deciding == nullptr  ? QString()
                                                  : toQt(deciding->binding.name);
    cases_->setCurrentIndex(static_cast<int>(std::max<qsizetype>(names.indexOf(wanted), 0)));
}

void DiagnosisPanel::clearCards() {
    for (const FindingCard* each : cards_) {
        if (each->isOpen()) open_.insert(each->rule());
        else open_.erase(each->rule());
    }
    cards_.clear();
    for (QWidget* each : made_) {
        each->hide();
        each->deleteLater();  // one of their buttons may be what was pressed
    }
    made_.clear();
}

/// The text that is shown in place of cards; "" where there are some.
QString DiagnosisPanel::message() const {
    if (!session_.document().isOpen()) return tr("Open a project: this shows why its kernel is slow.");
    const Diagnoses& diagnoses = session_.diagnoses();
    if (!diagnoses.round()) {
        return session_.rounds().isLoading()
                   ? tr("Reading the rounds")
                   : session_.adviceToRun(tr("No round yet. Press F5: it verifies and times the kernel, and this "
                                             "shows why it is slow and what "
                                             "can be done about it. Optimise… (F8) makes rounds by itself."));
    }
    const auto& causes = diagnoses.causes();
    if (!causes) return tr("Diagnosing round %1").arg(*diagnoses.round());
    if (!causes->problem.isEmpty())
        return tr("No diagnosis of round %1: %2").arg(*diagnoses.round()).arg(causes->problem);
    if (!causes->cases.empty()) return {};
    const Round& round = causes->detail->round;
    return tr("Round %1 was not timed (%2), so there is nothing to diagnose. %3")
        .arg(round.number)
        .arg(verdictOf(round), inWords(round.reason));
}

void DiagnosisPanel::showCards() {
    const int place_of_bar = scroll_->verticalScrollBar()->value();
    clearCards();
    const QString text = message();
    message_->setText(breakable(text));
    message_->setVisible(!text.isEmpty());
    const auto& causes = session_.diagnoses().causes();
    if (!text.isEmpty()) return indicators_->present({}, false);
    // Until they are filled again, the cases to choose from are those of the round before.
    const auto chosen = static_cast<std::size_t>(std::max(0, cases_->currentIndex()));
    const std::size_t place = std::min(chosen, causes->cases.size() - 1);
    const Diagnosis& diagnosis = causes->cases[place];
    const Round& round = causes->detail->round;
    const RoundCase* timed = timed_case(round, diagnosis.evidence.binding);
    indicators_->present(indicators_of(diagnosis.evidence, round.target_speedup, causes->book.goals),
                         timed != nullptr && is_noisy(*timed));
    addSubject(round, diagnosis.evidence.binding);
    addOutcome(round);
    for (const CardContent& each : cardsOf(*causes, place, session_.diagnoses().strategies().get()))
        addCard(new FindingCard(each));
    addSection(
        causes->best ? tr("Counters beside those of the best, round %1").arg(causes->best->number) : tr("Counters"),
        "diagnosis_counters", new CounterTable(*causes, place), counters_open_);
    addRemarks(diagnosis);
    updateButtons();
    scroll_->verticalScrollBar()->setValue(place_of_bar);
}

void DiagnosisPanel::addCard(FindingCard* card) {
    addMade(card);
    cards_.push_back(card);
    card->setOpen(open_.contains(card->rule()));
    connect(card, &FindingCard::applyWanted, this, &DiagnosisPanel::apply);
    connect(card, &FindingCard::goToSource, this, &DiagnosisPanel::goToSource);
}

/// What is diagnosed.
void DiagnosisPanel::addSubject(const Round& round, const Case& binding) {
    QLabel* subject = remark(tr("Round %1: %2 on %3, %4")
                                 .arg(round.number)
                                 .arg(toQt(round.variant), toQt(round.device), toQt(binding.name)));
    subject->setObjectName("diagnosis_subject");
    addMade(subject);
}

/// What came of the strategy with which the round was made.
void DiagnosisPanel::addOutcome(const Round& round) {
    if (!round.applied) return;
    const AppliedWords words = words_of(round, {}, windowPhrases());
    auto* part = new QWidget;
    auto* line = new QHBoxLayout(part);
    line->setContentsMargins(2, 0, 0, 0);
    auto* label = new QLabel(tr("Round %1 was made with %2. Expected %3; measured %4.")
                                 .arg(round.number)
                                 .arg(plain(words.strategy), plain(words.expected), plain(words.outcome)));
    label->setObjectName("applied_outcome");
    label->setWordWrap(true);
    auto* restore = new QPushButton(tr("Restore"));
    restore->setObjectName("applied_restore");
    restore->setToolTip(tr("Its tunables and sources become the project's; can be undone (Ctrl+R)"));
    connect(restore, &QPushButton::clicked, this, &DiagnosisPanel::restoreWanted);
    line->addWidget(label, 1);
    line->addWidget(restore, 0, Qt::AlignTop);
    addMade(part);
}

/// Adds a part behind the present ones; the stretch stays last.
void DiagnosisPanel::addMade(QWidget* part) {
    column_->insertWidget(column_->count() - 1, part);
    made_.push_back(part);
}

QLabel* DiagnosisPanel::remark(const QString& text) const {
    auto* label = new QLabel(text);
    label->setObjectName("diagnosis_remark");
    label->setWordWrap(true);
    QPalette own = palette();
    own.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    label->setPalette(own);
    return label;
}

void DiagnosisPanel::addRemarks(const Diagnosis& diagnosis) {
    for (const QString& each : remarksOf(diagnosis)) addMade(remark(each));
    const auto& strategies = session_.diagnoses().strategies();
    if (strategies && !strategies->problem.isEmpty())
        addMade(remark(tr("Nothing can be applied: %1").arg(strategies->problem)));
    addMissing(missingOf(diagnosis));
}

void DiagnosisPanel::addSection(const QString& title, const char* id, QWidget* content, bool& is_open) {
    auto* section = new Section(title, content);
    section->setObjectName(id);
    section->setOpen(is_open);
    connect(section->findChild<QToolButton*>(), &QToolButton::toggled, this, [&is_open](bool open) { is_open = open; });
    addMade(section);
}

void DiagnosisPanel::addMissing(const QStringList& missing) {
    if (missing.isEmpty()) return;
    auto* lines = new QWidget;
    auto* column = new QVBoxLayout(lines);
    column->setContentsMargins(16, 0, 0, 0);
    column->setSpacing(3);
    for (const QString& each : missing) column->addWidget(remark(each));
    addSection(tr("What was not measured, and what would measure it"), "diagnosis_missing", lines, missing_open_);
}

void DiagnosisPanel::updateButtons() {
    const QString why_not = session_.strategyActions().whyNotOptimized();
    optimize_->setEnabled(why_not.isEmpty());
    optimize_->setToolTip(why_not.isEmpty() ? tr("Makes rounds by itself until the target is reached (F8)") : why_not);
    const auto& causes = session_.diagnoses().causes();
    const auto& strategies = session_.diagnoses().strategies();
    const bool is_shown = causes && strategies && shown_ == session_.diagnoses().round() && !turn_.isActive();
    for (FindingCard* each : cards_) {
        each->explain([&](std::size_t proposal) {
            return is_shown
                       ? session_.strategyActions().whyNotApplied(*causes->detail, strategies->proposals.all[proposal])
                       : tr("Another round is being diagnosed");
        });
    }
}

void DiagnosisPanel::apply(std::size_t proposal) {
    const auto causes = session_.diagnoses().causes();
    const auto strategies = session_.diagnoses().strategies();
    if (!causes || !strategies || proposal >= strategies->proposals.all.size()) return;
    const Proposal& chosen = strategies->proposals.all[proposal];
    if (std::holds_alternative<EditSource>(chosen.change)) {
        ApplyDialog dialog(chosen, *causes->detail, this);
        if (dialog.exec() != QDialog::Accepted) return;
    }
    session_.strategyActions().apply(causes->detail, chosen);
}

void DiagnosisPanel::applyBest() {
    const auto& strategies = session_.diagnoses().strategies();
    if (!strategies || strategies->proposals.all.empty())
        return emit session_.refused(tr("No strategy can be applied to the selected round"));
    apply(0);
}

void DiagnosisPanel::optimize() {
    OptimizeDialog dialog(session_, this);
    if (dialog.exec() == QDialog::Accepted) session_.strategyActions().optimize(dialog.options());
}

void DiagnosisPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void DiagnosisPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && column_ != nullptr) refresh();
}

}  // namespace kernelgen::studio
