// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/tunable_row.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStringList>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/tunables/allowed_spin_box.h"
#include "app/studio/tunables/tunable_slider.h"
#include "app/studio/tunables/value_checks.h"

namespace kernelgen::studio {

namespace {

QString listed(const std::vector<std::int64_t>& values) {
    QStringList texts;
    for (const std::int64_t each : values) texts.push_back(QString::number(each));
    return texts.join(", ");
}

}  // namespace

TunableRow::TunableRow(const Tunable& tunable, QWidget* parent)
    : QWidget(parent),
      values_(tunable.values),
      box_(new AllowedSpinBox(values_)),
      slider_(new TunableSlider(static_cast<int>(values_.size()))),
      best_(new QLabel),
      correction_(new QLabel),
      tuned_(new QCheckBox),
      checks_(new ValueChecks(toQt(tunable.name), values_, *slider_)) {
    const QString name = toQt(tunable.name);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(firstLine(name));
    layout->addWidget(slider_);
    layout->addWidget(checks_);
    layout->addWidget(correction_);
    box_->setObjectName(name + "_box");
    box_->setAccessibleName(name);
    box_->findChild<QLineEdit*>()->setAccessibleName(name);
    slider_->setObjectName(name + "_slider");
    slider_->setAccessibleName(tr("%1 slider").arg(name));
    correction_->setObjectName(name + "_correction");
    correction_->setWordWrap(true);
    correction_->hide();
    for (QWidget* each : std::initializer_list<QWidget*>{box_, slider_}) {
        each->setToolTip(tr("%1 can be %2").arg(name, listed(values_)));
    }
    tuned_->setObjectName(name + "_tuned");
    tuned_->setAccessibleName(tr("%1 takes part in a tuning").arg(name));
    tuned_->setToolTip(tr("Whether %1 takes part in a tuning; otherwise it stays at its slider's value").arg(name));
    setChoiceShown(false);
    connect(tuned_, &QCheckBox::clicked, this, &TunableRow::tunedChosen);
    connect(checks_, &ValueChecks::chosen, this, &TunableRow::partChosen);
    connect(slider_, &QSlider::valueChanged, this, &TunableRow::choose);
    connect(box_, &QSpinBox::valueChanged, this, &TunableRow::choose);
    connect(box_, &AllowedSpinBox::corrected, this, &TunableRow::showCorrection);
    setValue(tunable.value);
}

QWidget* TunableRow::firstLine(const QString& name) {
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(name);
    label->setBuddy(box_);
    best_->setForegroundRole(QPalette::PlaceholderText);
    box_->setMinimumWidth(box_->fontMetrics().horizontalAdvance("0000000000"));
    layout->addWidget(tuned_);
    layout->addWidget(label, 1);
    layout->addWidget(best_);
    layout->addWidget(box_);
    return line;
}

void TunableRow::setValue(std::int64_t value) {
    const auto index = static_cast<int>(std::ranges::find(values_, value) - values_.begin());
    const QSignalBlocker quiet_slider(slider_), quiet_box(box_);
    slider_->setValue(index);
    if (box_->value() != index) box_->setValue(index);
}

void TunableRow::setBest(std::optional<std::int64_t> value) {
    best_->setText(value ? tr("best %1").arg(*value) : QString());
    const auto found = value ? std::ranges::find(values_, *value) : values_.end();
    slider_->setBest(found == values_.end() ? std::nullopt : std::optional(static_cast<int>(found - values_.begin())));
}

void TunableRow::setChoice(bool is_tuned, const std::vector<bool>& take_part) {
    tuned_->setChecked(is_tuned);
    checks_->setEnabled(is_tuned);
    checks_->setChecked(take_part);
}

void TunableRow::setChoiceShown(bool shown) {
    tuned_->setVisible(shown && values_.size() > 1);
    checks_->setVisible(shown && values_.size() > 1);
}

QWidget* TunableRow::lastField() const { return checks_->lastBox(); }

void TunableRow::choose(int index) {
    const std::int64_t value = values_[static_cast<std::size_t>(index)];
    correction_->hide();
    setValue(value);
    emit chosen(value);
}

void TunableRow::showCorrection(const QString& typed) {
    correction_->setText(tr("%1 is not allowed: the nearest is %2").arg(typed, box_->text()));
    correction_->setVisible(!typed.isEmpty());
}

}  // namespace kernelgen::studio
