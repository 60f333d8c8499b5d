// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/optimize_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"
#include "core/base/duration.h"

namespace kernelgen::studio {

namespace {

void addField(QFormLayout* form, const QString& name, QWidget* field, const char* id, const QString& tip) {
    form->addRow(name, field);
    field->setObjectName(id);
    field->setAccessibleName(name);
    field->setToolTip(tip);
}

}  // namespace

OptimizeDialog::OptimizeDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      rounds_(new QSpinBox),
      target_(new QDoubleSpinBox),
      budget_(new QComboBox),
      problem_(new QLabel) {
    setObjectName("optimize_dialog");
    setWindowTitle(tr("Optimise"));
    auto* what = new QLabel(tr(
        "Makes rounds by itself: diagnoses the best one so far, applies the strategy that promises most, verifies, "
        "times and records. Each round has its own sources and tunables; your files stay as they are, but for unsaved "
        "changes, which are saved first, and a generated variant that may be added to the project."));
    what->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(what);
    addFields();
    problem_->setObjectName("optimize_problem");
    problem_->setWordWrap(true);
    QPalette own = palette();
    own.setColor(QPalette::WindowText, coloursOf(palette()).bad);
    problem_->setPalette(own);
    column->addWidget(problem_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    start_ = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
    start_->setObjectName("optimize_start");
    connect(buttons, &QDialogButtonBox::accepted, this, &OptimizeDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &OptimizeDialog::reject);
    column->addWidget(buttons);
    start_->setDefault(true);  // once the dialog has it
    setMinimumWidth(480);
    rounds_->setFocus();
    check();
}

void OptimizeDialog::addFields() {
    auto* form = new QFormLayout;
    const Variant* variant = session_.variant();
    auto* what =
        new ElidedLabel(variant == nullptr ? tr("none") : tr("%1 on %2").arg(toQt(variant->name), session_.device()));
    addField(form, tr("Variant"), what, "optimize_variant", tr("As chosen in the toolbar"));
    rounds_->setRange(1, 1000);
    rounds_->setValue(session_.settings().optimizeRounds());
    addField(form, tr("Rounds at most"), rounds_, "optimize_rounds", tr("Beside the one that measures the start"));
    target_->setRange(0.01, 1000);
    target_->setDecimals(2);
    target_->setSingleStep(0.05);
    target_->setSuffix(QStringLiteral("×"));
    target_->setValue(session_.document().project().performance.target_speedup);
    addField(form, tr("Target"), target_, "optimize_target", tr("The speedup in every case at which it ends"));
    budget_->setEditable(true);
    budget_->addItems({"1m", "2m", "5m", "15m", "1h"});
    budget_->setCurrentText(session_.settings().optimizeBudget());
    addField(form, tr("Budget"), budget_, "optimize_budget", tr("Time for all rounds, such as 90s, 5m or 1h"));
    budget_->lineEdit()->setAccessibleName(tr("Budget"));
    connect(budget_, &QComboBox::currentTextChanged, this, &OptimizeDialog::check);
    static_cast<QVBoxLayout*>(layout())->addLayout(form);
}

void OptimizeDialog::check() {
    const auto seconds = parse_duration(budget_->currentText().trimmed().toStdString());
    QString problem = session_.strategyActions().whyNotOptimized();
    if (!seconds || !(*seconds > 0)) problem = tr("The budget is no time: write such as 90s, 5m or 1h");
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    start_->setEnabled(problem.isEmpty());
}

OptimizeOptions OptimizeDialog::options() const {
    OptimizeOptions options;
    options.rounds = rounds_->value();
    options.target = target_->value();
    options.budget_seconds = parse_duration(budget_->currentText().trimmed().toStdString()).value_or(0);
    return options;
}

void OptimizeDialog::accept() {
    session_.settings().setOptimization(rounds_->value(), budget_->currentText().trimmed());
    QDialog::accept();
}

}  // namespace kernelgen::studio
