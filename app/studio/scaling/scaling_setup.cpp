// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/scaling/scaling_setup.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QVBoxLayout>

namespace kernelgen::studio {

namespace {

constexpr int most_dimensions_shown = 32;

void addNamed(QBoxLayout& line, const QString& text, QWidget* field, const QString& name, const QString& tip) {
    auto* label = new QLabel(text);
    label->setBuddy(field);
    field->setObjectName(name);
    field->setAccessibleName(text);
    field->setToolTip(tip);
    line.addWidget(label);
    line.addWidget(field);
}

}  // namespace

ScalingSetup::ScalingSetup(QWidget* parent)
    : QWidget(parent), shown_(new QLineEdit), groups_(new QLineEdit), steps_(new QCheckBox(tr("Steps of one tensor"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(makeFiles());
    column->addWidget(makeRules());
}

QWidget* ScalingSetup::makeFiles() {
    auto* part = new QWidget;
    auto* line = new QHBoxLayout(part);
    line->setContentsMargins({});
    auto* choose = new QPushButton(tr("Choose…"));
    choose->setAccessibleName(tr("Choose tensors or records"));
    choose->setAutoDefault(false);
    shown_->setReadOnly(true);
    shown_->setPlaceholderText(tr("Tensors (.npy) or records of amax; they can be dropped here"));
    addNamed(*line, tr("Files"), shown_, "scaling_files", {});
    line->setStretchFactor(shown_, 1);
    line->addWidget(steps_);
    line->addWidget(choose);
    steps_->setObjectName("scaling_one_tensor");
    steps_->setToolTip(
        tr("The files are one tensor at several steps, in their order: scales from the earlier ones meet the last"));
    steps_->setEnabled(false);
    connect(steps_, &QCheckBox::toggled, this, &ScalingSetup::changed);
    connect(choose, &QPushButton::clicked, this, &ScalingSetup::chooseFiles);
    return part;
}

QWidget* ScalingSetup::makeRules() {
    auto* part = new QWidget;
    auto* line = new QHBoxLayout(part);
    line->setContentsMargins({});
    format_ = new QComboBox;
    format_->addItem(tr("By range"));
    format_->addItem(QStringLiteral("E4M3"), static_cast<int>(DType::f8e4m3));
    format_->addItem(QStringLiteral("E5M2"), static_cast<int>(DType::f8e5m2));
    addNamed(*line, tr("Format"), format_, "scaling_format", tr("E4M3 is more precise, E5M2 has more range"));
    connect(format_, &QComboBox::currentIndexChanged, this, &ScalingSetup::changed);
    axis_ = addAxis(*line, tr("Channels along axis"), "scaling_axis", tr("Each place on it is a channel"));
    group_axis_ = addAxis(*line, tr("Groups along axis"), "scaling_group_axis",
                          tr("Neighbours on it share a scale: K of a product"));
    groups_->setText(QStringLiteral("8, 16, 32, 64, 128"));
    groups_->setValidator(new QRegularExpressionValidator(
        QRegularExpression(QStringLiteral("[1-9]\\d{0,8}( *, *[1-9]\\d{0,8})*")), groups_));
    addNamed(*line, tr("Groups"), groups_, "scaling_groups", tr("Sizes to try"));
    target_ =
        addShare(*line, tr("Clip target"), "scaling_target", tr("The largest share of elements that may be clipped"));
    smoothing_ = addShare(*line, tr("Smoothing"), "scaling_smoothing",
                          tr("Share of the old average of amax in the new one, for scales from earlier steps"));
    margin_ =
        addShare(*line, tr("Margin"), "scaling_margin", tr("Scales from earlier steps fit this times the average"));
    target_->setDecimals(2);
    target_->setRange(0, 99);
    target_->setSuffix(QStringLiteral(" %"));
    target_->setValue(1);
    smoothing_->setRange(0, 0.999);
    smoothing_->setDecimals(3);
    smoothing_->setSingleStep(0.01);
    smoothing_->setValue(DelayedRule().smoothing);
    margin_->setRange(1, 1000);
    margin_->setSingleStep(0.1);
    margin_->setValue(DelayedRule().margin);
    connect(groups_, &QLineEdit::editingFinished, this, &ScalingSetup::changed);
    line->addStretch(1);
    return part;
}

QDoubleSpinBox* ScalingSetup::addShare(QBoxLayout& line, const QString& text, const QString& name, const QString& tip) {
    auto* field = new QDoubleSpinBox;
    field->setKeyboardTracking(false);
    addNamed(line, text, field, name, tip);
    connect(field, &QDoubleSpinBox::valueChanged, this, &ScalingSetup::changed);
    return field;
}

QSpinBox* ScalingSetup::addAxis(QBoxLayout& line, const QString& text, const QString& name, const QString& tip) {
    auto* field = new QSpinBox;
    field->setKeyboardTracking(false);
    field->setRange(-most_dimensions_shown, most_dimensions_shown - 1);
    field->setValue(-1);
    addNamed(line, text, field, name, tip + "\n" + tr("From 0, or from -1 at the end backwards"));
    connect(field, &QSpinBox::valueChanged, this, &ScalingSetup::changed);
    return field;
}

void ScalingSetup::chooseFiles() {
    const QString start = files_.isEmpty() ? QDir::homePath() : QFileInfo(files_.front()).path();
    const QStringList chosen =
        QFileDialog::getOpenFileNames(this, tr("Tensors or records of amax"), start,
                                      tr("Tensors and records (*.npy *.csv *.jsonl *.json *.txt);;All files (*)"));
    if (!chosen.isEmpty()) setFiles(chosen);
}

void ScalingSetup::setFiles(const QStringList& files) {
    files_ = files;
    QStringList names;
    for (const QString& each : files) names << QFileInfo(each).fileName();
    shown_->setText(names.join(QStringLiteral(", ")));
    shown_->setToolTip(files.join('\n'));
    steps_->setEnabled(files.size() > 1);
    emit changed();
}

ScalingRequest ScalingSetup::request() const {
    ScalingRequest request;
    for (const QString& each : files_) {
        const QString& named = steps_->isChecked() ? files_.front() : each;
        request.inputs.push_back({QFileInfo(named).completeBaseName().toStdString(), each.toStdString()});
    }
    if (format_->currentIndex() > 0) request.format = static_cast<DType>(format_->currentData().toInt());
    request.axis = axis_->value();
    request.group_axis = group_axis_->value();
    request.groups.clear();
    for (const QString& each : groups_->text().split(',')) {
        if (const qint64 size = each.trimmed().toLongLong(); size > 0) request.groups.push_back(size);
    }
    request.clip_target = target_->value() / 100;
    request.delayed = {smoothing_->value(), margin_->value()};
    return request;
}

}  // namespace kernelgen::studio
