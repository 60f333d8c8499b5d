// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/model/model_setup.h"

#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/icons.h"

namespace kernelgen::studio {

namespace {

constexpr int usual_limit = 600, longest_limit = 86400;  // seconds

void addLabelled(QBoxLayout* line, const QString& text, QWidget* field, const QString& name, const QString& tip) {
    auto* label = new QLabel(text);
    label->setBuddy(field);
    field->setObjectName(name);
    field->setAccessibleName(text);
    field->setToolTip(tip);
    line->addWidget(label);
    line->addWidget(field);
}

}  // namespace

ModelSetup::ModelSetup(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      file_(new QLineEdit),
      case_(new QComboBox),
      device_(new QComboBox),
      limit_(new QSpinBox),
      measure_(new QPushButton(tr("Measure"))),
      stop_(new QPushButton(tr("Stop"))),
      progress_(new QProgressBar),
      stage_(new ElidedLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(makeFile());
    column->addWidget(makeChoices());
    Engine& engine = session_.engine();
    connect(&session_.model(), &ModelStudy::changed, this, &ModelSetup::refresh);
    connect(&engine, &Engine::devicesChanged, this, &ModelSetup::fillDevices);
    connect(&engine, &Engine::runningChanged, this, &ModelSetup::showRunning);
    connect(&engine, &Engine::runProgressed, this, [this](const QString& stage) {
        current_stage_ = stage;
        showProgress();
    });
    connect(&tick_, &QTimer::timeout, this, &ModelSetup::showProgress);
    tick_.setInterval(1000);
    applyPalette();
    fillDevices();
    refresh();
    showRunning();
}

QWidget* ModelSetup::makeFile() {
    auto* part = new QWidget;
    auto* line = new QHBoxLayout(part);
    line->setContentsMargins({});
    auto* choose = new QPushButton(tr("Choose…"));
    choose->setAccessibleName(tr("Choose the model's file"));
    choose->setAutoDefault(false);
    file_->setPlaceholderText(tr("A Python file with a model and its inputs; it can be dropped here"));
    addLabelled(line, tr("Model"), file_, "model_file", {});
    line->setStretchFactor(file_, 1);
    line->addWidget(choose);
    connect(choose, &QPushButton::clicked, this, &ModelSetup::chooseFile);
    connect(file_, &QLineEdit::editingFinished, this, &ModelSetup::readTyped);
    return part;
}

QWidget* ModelSetup::makeChoices() {
    auto* part = new QWidget;
    auto* line = new QHBoxLayout(part);
    line->setContentsMargins({});
    addLabelled(line, tr("Case"), case_, "model_case", tr("A case of the file's `cases`"));
    addLabelled(line, tr("Device"), device_, "model_device", tr("Where it runs"));
    addLabelled(line, tr("Limit"), limit_, "model_limit", tr("Seconds that everything may take"));
    for (QComboBox* each : {case_, device_}) each->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    limit_->setRange(1, longest_limit);
    limit_->setSuffix(tr(" s"));
    limit_->setValue(usual_limit);
    measure_->setObjectName("model_measure");
    stop_->setObjectName("model_stop");
    stop_->setToolTip(tr("End the model's process"));
    for (QPushButton* each : {measure_, stop_}) {
        each->setAutoDefault(false);
        line->addWidget(each);
    }
    progress_->setMaximum(0);
    progress_->setMaximumWidth(120);
    progress_->setTextVisible(false);
    stage_->setObjectName("model_stage");
    line->addWidget(progress_);
    line->addWidget(stage_, 1);
    connect(measure_, &QPushButton::clicked, this, &ModelSetup::measure);
    connect(stop_, &QPushButton::clicked, &session_.engine(), &Engine::stop);
    return part;
}

void ModelSetup::chooseFile() {
    const QString start = session_.model().file().isEmpty() ? QDir::homePath() : session_.model().file();
    const QString chosen =
        QFileDialog::getOpenFileName(this, tr("File of the model"), start, tr("Python files (*.py)"));
    if (!chosen.isEmpty()) session_.model().read(chosen);
}

void ModelSetup::readTyped() {
    const QString typed = file_->text().trimmed();
    if (!typed.isEmpty() && typed != session_.model().file()) session_.model().read(typed);
}

void ModelSetup::measure() { session_.model().measure(case_->currentText(), device_->currentText(), limit_->value()); }

void ModelSetup::refresh() {
    if (const QString& file = session_.model().file(); file != shown_file_) file_->setText(shown_file_ = file);
    fillCases();
    showRunning();
}

void ModelSetup::fillCases() {
    const QStringList names = session_.model().cases();
    QStringList shown;
    for (int i = 0; i < case_->count(); ++i) shown << case_->itemText(i);
    if (shown == names) return;
    case_->clear();
    case_->addItems(names);
    case_->setEnabled(names.size() > 1);
}

/// Offers the devices on which something runs. The chosen device stays chosen; at first it is the session's.
void ModelSetup::fillDevices() {
    const QString before = device_->count() > 0 ? device_->currentText() : session_.device();
    device_->clear();
    for (const WorkerDevice& each : session_.engine().devices()) {
        if (each.info.available && !each.info.builds_only) device_->addItem(toQt(each.info.name));
    }
    if (device_->count() == 0) device_->addItem(before);
    device_->setCurrentIndex(std::max(0, device_->findText(before)));
}

void ModelSetup::showRunning() {
    const ModelStudy& model = session_.model();
    const bool running = session_.engine().isRunning(), asking = running && model.isAsking();
    measure_->setEnabled(!running && !model.isAsking() && !model.cases().isEmpty());
    measure_->setToolTip(running ? tr("Something else is running: it comes after that")
                         : model.cases().isEmpty()
                             ? tr("Choose a model first")
                             : tr("Execute the model, in a process with limits, and time its calls"));
    stop_->setEnabled(asking);
    progress_->setVisible(asking);
    if (asking != tick_.isActive()) {
        current_stage_.clear();
        since_.start();
        asking ? tick_.start() : tick_.stop();
    }
    showProgress();
}

void ModelSetup::showProgress() {
    if (session_.model().isReading()) return stage_->setText(tr("Reading the file"));
    if (!progress_->isVisibleTo(this)) return stage_->clear();
    const QString doing = current_stage_.isEmpty() ? tr("Starting") : stageInWords(current_stage_);
    stage_->setText(tr("%1, %2 s").arg(doing).arg(since_.isValid() ? since_.elapsed() / 1000 : 0));
}

void ModelSetup::applyPalette() {
    measure_->setIcon(icon("run", palette()));
    stop_->setIcon(icon("stop", palette()));
}

void ModelSetup::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
