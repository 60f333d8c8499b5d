// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/icons.h"
#include "app/studio/tuning/rules_dialog.h"
#include "app/studio/tuning/tuning_charts.h"
#include "app/studio/tuning/tuning_setup.h"
#include "app/studio/tuning/tuning_words.h"

namespace kernelgen::studio {

namespace {

constexpr int lines_for_charts = 13;  ///< the height, in lines of text, that the options leave the charts

}  // namespace

TuningPanel::TuningPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      setup_(new TuningSetup(session)),
      charts_(new TuningCharts(session)),
      tunings_(new QComboBox),
      state_(new QLabel) {
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(4, 4, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(buttons());
    state_->setObjectName("tuning_state");
    state_->setAccessibleName(tr("How the tuning stands"));
    state_->setTextFormat(Qt::PlainText);
    state_->setWordWrap(true);
    rows->addWidget(state_);
    rows->addWidget(setup_);
    rows->addWidget(charts_, 1);
    connectSession();
    applyPalette();
    refresh();
}

QPushButton* TuningPanel::add(const QString& text, const QString& name, void (TuningPanel::*act)()) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    connect(button, &QPushButton::clicked, this, act);
    return button;
}

QWidget* TuningPanel::buttons() {
    auto* line = new QWidget;
    auto* buttons = new QHBoxLayout(line);
    buttons->setContentsMargins({});
    start_ = add(tr("Start"), "tuning_start", &TuningPanel::start);
    pause_ = add(tr("Pause"), "tuning_pause", &TuningPanel::pauseOrContinue);
    stop_ = add(tr("Stop"), "tuning_stop", &TuningPanel::decide);
    adopt_ = add(tr("Adopt"), "tuning_adopt", &TuningPanel::adopt);
    rules_ = add(tr("Rules…"), "tuning_rules", &TuningPanel::showRules);
    options_ = add(tr("Options"), "tuning_options", &TuningPanel::chooseOptions);
    options_->setCheckable(true);
    options_->setToolTip(tr("Show budget, strategy, objective and case of the next tuning"));
    for (QPushButton* each : {start_, pause_, stop_, adopt_, rules_}) buttons->addWidget(each);
    tunings_->setObjectName("tunings");
    tunings_->setAccessibleName(tr("Tuning that is shown"));
    tunings_->setToolTip(tr("The project's tunings"));
    buttons->addWidget(tunings_);
    buttons->addWidget(options_);
    buttons->addStretch();
    connect(tunings_, &QComboBox::activated, this,
            [this](int index) { session_.tunings().show(tunings_->itemData(index).toInt()); });
    return line;
}

void TuningPanel::connectSession() {
    connect(&session_.tunings(), &Tunings::changed, this, &TuningPanel::refresh);
    connect(&session_.tunings(), &Tunings::grew, this, &TuningPanel::updateButtons);
    connect(&session_.rules(), &Rules::changed, this, &TuningPanel::updateButtons);
    connect(&session_.engine(), &Engine::runningChanged, this, &TuningPanel::refresh);
    connect(&session_, &Session::variantChanged, this, &TuningPanel::refresh);
    connect(&session_.document(), &ProjectDocument::changed, this, &TuningPanel::updateButtons);
    connect(&session_.engine(), &Engine::devicesChanged, this, &TuningPanel::updateButtons);
    connect(&session_.engine(), &Engine::tuningProgressed, this,
            [this](const std::shared_ptr<const TuningNews>& news) { showState(stateText(news->state)); });
    connect(charts_, &TuningCharts::selectedChanged, this, &TuningPanel::openInSliders);
    connect(charts_, &TuningCharts::failed, this,
            [this](const QString& problem) { session_.log().add(Severity::error, problem); });
}

void TuningPanel::start() {
    Result<TuneOptions> options = setup_->options();
    if (!options) return emit session_.refused(inWords(options.error().message));
    session_.tuningActions().tune(std::move(*options));
}

void TuningPanel::pauseOrContinue() {
    if (session_.engine().isTuning()) return session_.engine().stop();
    if (!session_.tunings().canContinue()) return;
    TuneOptions options;
    options.resume = true;
    session_.tuningActions().tune(std::move(options));
}

void TuningPanel::decide() {
    if (session_.engine().isTuning()) session_.engine().decideTuning();
    updateButtons();
}

const Configuration* TuningPanel::configurationToAdopt() const {
    const std::shared_ptr<const Tuning> tuning = session_.tunings().shown();
    if (!tuning) return nullptr;
    const auto selected = charts_->selected();
    if (!selected || *selected >= tuning->tried.size()) return recommendedBy(*tuning);
    const Tried& chosen = tuning->tried[*selected];
    return chosen.is_ok() ? &chosen.configuration : nullptr;
}

void TuningPanel::adopt() {
    if (const Configuration* chosen = configurationToAdopt()) session_.tuningActions().adopt(Configuration(*chosen));
}

void TuningPanel::showRules() {
    if (RulesDialog(session_.rules(), this).exec() == QDialog::Accepted) session_.tuningActions().adoptRules();
}

/// A click moves the sliders; clicks in sequence are one step of undo.
void TuningPanel::openInSliders() {
    const std::shared_ptr<const Tuning> tuning = session_.tunings().shown();
    const auto selected = charts_->selected();
    if (!tuning || !selected) return;
    const QString variant = toQt(tuning->head.variant);
    if (session_.document().project().find_variant(tuning->head.variant) != nullptr &&
        toQt(tuning->head.device) == session_.device())
        session_.setVariant(variant);
    session_.document().setTunables(tr("take from tuning %1").arg(tuning->head.number), tuning->head.variant,
                                    tuning->tried[*selected].configuration, QStringLiteral("tuning"));
    updateButtons();
}

void TuningPanel::refresh() {
    fillTunings();
    updateButtons();
    const std::shared_ptr<const Tuning> tuning = session_.tunings().shown();
    if (session_.engine().isTuning()) return placeOptions();
    if (!tuning) return showState(QString());
    showState((QStringList{outcomeText(*tuning)} + leftOutTexts(*tuning) + QStringList{describe(*tuning)})
                  .join(QStringLiteral(" · ")));
}

void TuningPanel::updateButtons() {
    const Engine& engine = session_.engine();
    const bool tuning = engine.isTuning(), idle = session_.document().isOpen() && !engine.isRunning();
    const Variant* variant = session_.variant();
    const bool has_tunables = variant != nullptr && !variant->tunables.empty();
    const bool can_run = idle && session_.whyNothingRuns().isEmpty();
    start_->setEnabled(can_run && has_tunables);
    start_->setToolTip(variant != nullptr && !has_tunables ? tr("%1 has no tunables").arg(toQt(variant->name))
                                                           : tr("Find the best configuration (F7)"));
    pause_->setText(tuning || !session_.tunings().canContinue() ? tr("Pause") : tr("Continue"));
    pause_->setEnabled(tuning || (can_run && session_.tunings().canContinue()));
    pause_->setToolTip(tuning ? tr("Stop for now; Continue goes on, also after the window was closed (Shift+F7)")
                              : tr("Go on with the last tuning, with its own options (Shift+F7)"));
    stop_->setEnabled(tuning && !engine.isDeciding());
    stop_->setToolTip(tr("Search no further: the best so far and the present configuration decide now (Ctrl+F7)"));
    const Configuration* chosen = configurationToAdopt();
    const auto selected = charts_->selected();
    adopt_->setText(selected ? tr("Adopt no. %1").arg(*selected + 1) : tr("Adopt"));
    adopt_->setEnabled(chosen != nullptr);
    adopt_->setToolTip(chosen == nullptr ? tr("There is no result yet, or the chosen one failed")
                                         : tr("Make %1 the project's, and save it").arg(configurationText(*chosen)));
    updateRules();
}

void TuningPanel::updateRules() {
    const Rules& rules = session_.rules();
    rules_->setVisible(rules.proposal() || !rules.whyNone().isEmpty());
    rules_->setEnabled(!session_.engine().isRunning());
    rules_->setToolTip(rules.proposal() ? tr("The rules by case that this tuning and those of its command propose")
                                        : rules.whyNone());
}

void TuningPanel::showState(const QString& text) {
    state_->setText(text);
    state_->setHidden(text.isEmpty());
    QStringList lines{text};
    if (const std::shared_ptr<const Tuning> tuning = session_.tunings().shown()) {
        lines << optionsText(tuning->head) << prunedText(tuning->head);
        lines.removeAll(QString());
    }
    state_->setToolTip(lines.join('\n'));
    placeOptions();
}

void TuningPanel::chooseOptions() {
    options_chosen_ = true;
    placeOptions();
}

/// The options of the next tuning are shown where they leave the charts their room, or where the user wants them.
void TuningPanel::placeOptions() {
    const bool tuning = session_.engine().isTuning();
    if (!options_chosen_) {
        const int taken =
            start_->sizeHint().height() + state_->heightForWidth(width()) + setup_->heightForWidth(width());
        options_->setChecked(!session_.tunings().shown() ||
                             height() - taken >= lines_for_charts * fontMetrics().lineSpacing());
    }
    options_->setHidden(tuning);
    setup_->setHidden(tuning || !options_->isChecked());
}

void TuningPanel::fillTunings() {
    const QSignalBlocker quiet(tunings_);
    tunings_->clear();
    for (const int number : session_.tunings().numbers()) tunings_->addItem(tr("Tuning %1").arg(number), number);
    const std::shared_ptr<const Tuning> tuning = session_.tunings().shown();
    tunings_->setCurrentIndex(tuning ? tunings_->findData(tuning->head.number) : -1);
    tunings_->setVisible(tunings_->count() > 0);
}

void TuningPanel::applyPalette() {
    start_->setIcon(icon("run", palette()));
    stop_->setIcon(icon("stop", palette()));
}

void TuningPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeOptions();
}

void TuningPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
