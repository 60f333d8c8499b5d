// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/icons.h"
#include "app/studio/tuning/tuning_charts.h"
#include "app/studio/tuning/tuning_setup.h"
#include "app/studio/tuning/tuning_words.h"

namespace kernelgen::studio {

TuningPanel::TuningPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      setup_(new TuningSetup(session)),
      charts_(new TuningCharts(session)),
      tunings_(new QComboBox),
      state_(new ElidedLabel) {
    rows_ = new QVBoxLayout(this);
    rows_->setContentsMargins(4, 4, 0, 0);
    rows_->setSpacing(4);
    rows_->addWidget(buttons());
    rows_->addWidget(setup_);
    rows_->addWidget(charts_, 1);
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
    buttons_ = new QHBoxLayout(line);
    buttons_->setContentsMargins({});
    start_ = add(tr("Start"), "tuning_start", &TuningPanel::start);
    pause_ = add(tr("Pause"), "tuning_pause", &TuningPanel::pauseOrContinue);
    stop_ = add(tr("Stop"), "tuning_stop", &TuningPanel::decide);
    adopt_ = add(tr("Adopt"), "tuning_adopt", &TuningPanel::adopt);
    for (QPushButton* each : {start_, pause_, stop_, adopt_}) buttons_->addWidget(each);
    tunings_->setObjectName("tunings");
    tunings_->setAccessibleName(tr("Tuning that is shown"));
    tunings_->setToolTip(tr("The project's tunings"));
    buttons_->addWidget(tunings_);
    state_->setObjectName("tuning_state");
    state_->setAccessibleName(tr("How the tuning stands"));
    state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    buttons_->addWidget(state_, 1);
    buttons_->addStretch();  // so that the buttons stay as they are without it
    connect(tunings_, &QComboBox::activated, this,
            [this](int index) { session_.tunings().show(tunings_->itemData(index).toInt()); });
    return line;
}

void TuningPanel::connectSession() {
    connect(&session_.tunings(), &Tunings::changed, this, &TuningPanel::refresh);
    connect(&session_.tunings(), &Tunings::grew, this, &TuningPanel::updateButtons);
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
    if (!options) return emit session_.refused(toQt(options.error().message));
    session_.tune(std::move(*options));
}

void TuningPanel::pauseOrContinue() {
    if (session_.engine().isTuning()) return session_.engine().stop();
    if (!session_.tunings().canContinue()) return;
    TuneOptions options;
    options.resume = true;
    session_.tune(std::move(options));
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
    if (const Configuration* chosen = configurationToAdopt()) session_.adopt(Configuration(*chosen));
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

/// Places the line about a tuning's state. While a tuning runs, it takes the place of the options, which are for the
/// next one.
void TuningPanel::placeState(bool tuning) {
    if (setup_->isHidden() == tuning) return;
    setup_->setVisible(!tuning);
    if (tuning) rows_->insertWidget(1, state_);
    else buttons_->insertWidget(buttons_->count() - 1, state_, 1);
}

void TuningPanel::refresh() {
    placeState(session_.engine().isTuning());
    fillTunings();
    updateButtons();
    const std::shared_ptr<const Tuning> tuning = session_.tunings().shown();
    if (session_.engine().isTuning()) return;
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
    adopt_->setEnabled(chosen != nullptr);
    adopt_->setToolTip(chosen == nullptr ? tr("There is no result yet, or the chosen one failed")
                                         : tr("Make %1 the project's, and save it").arg(configurationText(*chosen)));
}

void TuningPanel::showState(const QString& text) {
    state_->setText(text);
    QStringList lines{text};
    if (const std::shared_ptr<const Tuning> tuning = session_.tunings().shown()) {
        lines << optionsText(tuning->head) << prunedText(tuning->head);
        lines.removeAll(QString());
    }
    state_->setToolTip(lines.join('\n'));
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

void TuningPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
