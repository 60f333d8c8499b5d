// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/run_bar.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalBlocker>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/engine_words.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "app/studio/rounds/words.h"
#include "app/studio/theme/theme.h"
#include "core/round/best.h"

namespace kernelgen::studio {

namespace {

constexpr int characters_of_choice = 36;  ///< of a variant or a device, whose whole name is in the list

QLabel* labelFor(QWidget* field, const QString& text, QBoxLayout* layout) {
    auto* label = new QLabel(text);
    label->setBuddy(field);
    field->setAccessibleName(text);
    layout->addWidget(label);
    layout->addWidget(field);
    return label;
}

}  // namespace

RunBar::RunBar(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      variant_(new QComboBox),
      device_(new QComboBox),
      note_(new QLineEdit),
      verdict_(new QLabel),
      progress_(new QProgressBar),
      stage_(new ElidedLabel) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 0);
    labelFor(variant_, tr("Variant"), layout);
    labelFor(device_, tr("Device"), layout);
    labelFor(note_, tr("Note"), layout);
    layout->setStretchFactor(note_, 1);
    layout->addWidget(verdict_);
    layout->addWidget(stage_, 1);
    stage_->setSizePolicy(QSizePolicy::Ignored,
                          QSizePolicy::Preferred);  // however long, it takes room of the note only
    verdict_->setObjectName("verdict");
    verdict_->setForegroundRole(QPalette::WindowText);  // of its own, which a toolbar's parts have not
    verdict_->setAccessibleName(tr("How the last round ended"));
    layout->addWidget(progress_);
    variant_->setToolTip(tr("The variant under work: its tunables are on the right"));
    variant_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    device_->setToolTip(tr("Where it runs"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (QComboBox* each : {variant_, device_})
        each->setMaximumWidth(characters_of_choice * each->fontMetrics().averageCharWidth());
    note_->setPlaceholderText(tr("Why the next round is made; the log prints it"));
    note_->setMaxLength(500);
    note_->setMinimumWidth(120);
    progress_->setFixedWidth(140);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress of the run"));
    connect(variant_, &QComboBox::activated, this, [this] { session_.setVariant(variant_->currentText()); });
    connect(device_, &QComboBox::activated, this, [this] { session_.setDevice(device_->currentData().toString()); });
    connect(&session_, &Session::variantChanged, this, &RunBar::fillVariants);
    connect(&session_.document(), &ProjectDocument::changed, this, &RunBar::fillVariants);
    connect(&session_.document(), &ProjectDocument::opened, this, [this] {
        last_.reset();
        keepNote();
        takeNote();
        fillVariants();
        showVerdict();
    });
    connect(note_, &QLineEdit::editingFinished, this, &RunBar::keepNote);
    Engine& engine = session_.engine();
    connect(&engine, &Engine::devicesChanged, this, &RunBar::fillDevices);
    connect(&engine, &Engine::devicesFailed, this, &RunBar::showLost);
    connect(&engine, &Engine::runProgressed, this, &RunBar::showProgress);
    connect(&engine, &Engine::runningChanged, this, &RunBar::showRunning);
    connect(&engine, &Engine::runFinished, this, &RunBar::takeOutcome);
    takeNote();
    fillVariants();
    fillDevices();
    showRunning();
}

RunBar::~RunBar() { keepNote(); }

void RunBar::setNote(const QString& note) { note_->setText(note); }

QString RunBar::note() const { return note_->text().trimmed(); }

/// Stores the note of the project that it was written for: it waits there for the next round.
void RunBar::keepNote() {
    if (!note_of_.isEmpty()) session_.settings().setNextNote(note_of_, note());
}

void RunBar::takeNote() {
    const ProjectDocument& document = session_.document();
    note_of_ = document.isOpen() ? document.folder() : QString();
    note_->setText(note_of_.isEmpty() ? QString() : session_.settings().nextNote(note_of_));
}

void RunBar::focusNote() {
    note_->setFocus(Qt::ShortcutFocusReason);
    note_->selectAll();
}

void RunBar::fillVariants() {
    const QSignalBlocker quiet(variant_);
    variant_->clear();
    const std::string device = session_.device().toStdString();
    for (const Variant& each : session_.document().project().variants) {
        if (runs_on(each, device)) variant_->addItem(toQt(each.name));
    }
    const Variant* chosen = session_.variant();
    variant_->setCurrentText(chosen == nullptr ? QString() : toQt(chosen->name));
    variant_->setEnabled(variant_->count() > 0);
    note_->setEnabled(session_.document().isOpen());
}

void RunBar::fillDevices() {
    const QSignalBlocker quiet(device_);
    device_->clear();
    for (const WorkerDevice& each : session_.engine().devices()) {
        const QString name = toQt(each.info.name);
        device_->addItem(each.info.builds_only ? tr("%1 (builds only)").arg(name)
                         : each.info.available ? name
                                               : tr("%1 (not usable)").arg(name),
                         name);
        const QString what = each.info.builds_only ? toQt(each.info.description) + "\n" + inWords(each.info.reason)
                             : each.info.available ? toQt(each.info.environment.hardware)
                                                   : inWords(each.info.reason);
        device_->setItemData(device_->count() - 1, what, Qt::ToolTipRole);
    }
    if (device_->findData(session_.device()) < 0) device_->addItem(session_.device(), session_.device());
    device_->setCurrentIndex(device_->findData(session_.device()));
}

/// Until the worker tells its devices again.
void RunBar::showLost(const QString& why) {
    for (int i = 0; i < device_->count(); ++i) {
        device_->setItemText(i, tr("%1 (no connection)").arg(device_->itemData(i).toString()));
        device_->setItemData(i, why, Qt::ToolTipRole);
    }
}

/// The time left follows from the steps of this stage alone: the next one's are not known before it begins.
void RunBar::showProgress(const QString& stage, int done, int total) {
    if (stage != current_stage_) {
        current_stage_ = stage;
        stage_time_.start();
        stage_first_ = done;
    }
    progress_->setMaximum(total);
    progress_->setValue(done);
    const QString name = stageInWords(stage);
    QString text = total > 0 ? tr("%1: %2 of %3").arg(name).arg(done).arg(total) : name;
    const double seconds = static_cast<double>(stage_time_.elapsed()) * 1e-3;
    if (done > stage_first_ && total > done && seconds > 0.5) {
        const double left = seconds / (done - stage_first_) * (total - done);
        text += tr(", %1 s left").arg(left, 0, 'f', left < 10 ? 1 : 0);
    }
    stage_->setText(text);
}

void RunBar::showRunning() {
    const bool running = session_.engine().isRunning();
    progress_->setVisible(running);
    stage_->setVisible(running);
    if (running) last_.reset();
    showVerdict();
    current_stage_.clear();
    if (!running) return;
    stage_->setText(tr("Starting"));
    progress_->setMaximum(0);
}

/// Shows a round that has ended. A note that the round has taken is cleared; after a run that was stopped it stays for
/// the next one, and so does a note that was written while the round was made.
void RunBar::takeOutcome(const RunOutcome& outcome) {
    if (!outcome.recorded) return;
    const Round& round = outcome.detail.round;
    if (round.status != Status::cancelled && toQt(round.note) == note()) {
        note_->clear();
        keepNote();
    }
    last_ = round;
    showVerdict();
}

/// How the last round ended, until the next run: its speedup, and whether that is sure.
void RunBar::showVerdict() {
    verdict_->setVisible(last_.has_value() && !session_.engine().isRunning());
    if (!last_) return;
    const Round& round = *last_;
    const RoundCase* deciding = round.status == Status::ok ? deciding_case(round) : nullptr;
    const Colours colours = coloursOf(palette());
    QColor colour = colourOf(round.status, palette());
    QString text = word(round.status), tip = inWords(round.reason);
    if (deciding != nullptr) {
        const QString noise = noiseInWords(*deciding);
        const QString speedup = QStringLiteral("%1× [%2, %3]")
                                    .arg(deciding->speedup, 0, 'f', 3)
                                    .arg(deciding->speedup_lower, 0, 'f', 3)
                                    .arg(deciding->speedup_upper, 0, 'f', 3);
        text = noise.isEmpty() ? speedup : tr("≈ %1, noisy").arg(speedup);
        tip = tr("Speedup of the slowest case, %1").arg(toQt(deciding->binding.name));
        if (!noise.isEmpty()) tip += "\n" + noise;
        colour = !noise.isEmpty() ? colours.warning : deciding->speedup > 1 ? colours.good : colours.bad;
    }
    QPalette own = palette();
    own.setColor(QPalette::WindowText, colour);
    verdict_->setPalette(own);
    verdict_->setText(tr("Round %1: %2").arg(round.number).arg(text));
    verdict_->setToolTip(tip);
}

void RunBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showVerdict();
}

}  // namespace kernelgen::studio
