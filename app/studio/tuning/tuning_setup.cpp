// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_setup.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/base/duration.h"

namespace kernelgen::studio {

TuningSetup::TuningSetup(Session& session, QWidget* parent) : QWidget(parent), session_(session), count_(new QLabel) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    budget_ = add(row, tr("Budget"), "tuning_budget",
                  tr("Time for all cases together, such as 90s, 5m or 1h; the final takes what it needs of it"));
    budget_->setEditable(true);
    budget_->lineEdit()->setAccessibleName(tr("Budget"));
    budget_->addItems({"1m", "2m", "5m", "15m", "1h"});
    budget_->setCurrentText("5m");
    strategy_ = add(row, tr("Strategy"), "tuning_strategy", tr("How the next configurations are chosen"));
    for (const Strategy each : all_strategies) strategy_->addItem(toQt(to_string(each)));
    const QString tips[] = {tr("Learns from times and failures what makes a configuration fast (the default)"),
                            tr("Every configuration, in the space's order"), tr("Every configuration, in random order"),
                            tr("A coarse grid, then the neighbours of its best fifth"),
                            tr("Climbs from a random configuration to better neighbours")};
    for (int i = 0; i < strategy_->count(); ++i) strategy_->setItemData(i, tips[i], Qt::ToolTipRole);
    objective_ = add(row, tr("Objective"), "tuning_objective",
                     tr("What becomes small: time, memory, or a weighting such as \"0.7 time 0.3 memory\""));
    objective_->setEditable(true);
    objective_->lineEdit()->setAccessibleName(tr("Objective"));
    objective_->addItems({"time", "memory", "0.7 time 0.3 memory"});
    case_ = add(row, tr("Case"), "tuning_case", tr("What is tuned: one case, or one after the other"));
    count_->setObjectName("tuning_count");
    count_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(count_, 1);
    connect(&session_.document(), &ProjectDocument::opened, this, &TuningSetup::fillCases);
    connect(&session_.document(), &ProjectDocument::changed, this, &TuningSetup::fillCases);
    connect(&session_, &Session::variantChanged, this, &TuningSetup::showCount);
    connect(&session_.tuningChoices(), &TuningChoices::changed, this, &TuningSetup::showCount);
    fillCases();
}

QComboBox* TuningSetup::add(QHBoxLayout* row, const QString& label, const QString& name, const QString& tip) {
    auto* box = new QComboBox;
    auto* text = new QLabel(label);
    text->setBuddy(box);
    box->setObjectName(name);
    box->setAccessibleName(label);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    row->addWidget(text);
    row->addWidget(box);
    return box;
}

void TuningSetup::fillCases() {
    const QString before = case_->currentText();
    QStringList names{tr("all")};
    for (const Case& each : session_.document().project().cases) names << toQt(each.name);
    QStringList present;
    for (int i = 0; i < case_->count(); ++i) present << case_->itemText(i);
    if (names != present) {
        case_->clear();
        case_->addItems(names);
        const auto first = std::min<qsizetype>(1, names.size() - 1);
        case_->setCurrentIndex(static_cast<int>(names.contains(before) ? names.indexOf(before) : first));
    }
    showCount();
}

/// How many combinations take part, before restrictions.
void TuningSetup::showCount() {
    const Variant* variant = session_.variant();
    if (variant == nullptr || variant->tunables.empty()) return count_->clear();
    const double count = session_.tuningChoices().combinations(*variant);
    count_->setText(tr("%L1 combinations").arg(count, 0, 'f', 0));
    count_->setToolTip(
        tr("Of the values that take part, before restrictions. The check boxes at the sliders on the right choose "
           "tunables and values."));
}

Result<TuneOptions> TuningSetup::options() const {
    TuneOptions options;
    const auto seconds = parse_duration(budget_->currentText().trimmed().toStdString());
    if (!seconds) return fail(tr("The budget is no time: write such as 90s, 5m or 1h").toStdString());
    options.budget_seconds = *seconds;
    options.strategy = all_strategies[strategy_->currentIndex()];
    const Result<Objective> objective = parse_objective(objective_->currentText().trimmed().toStdString());
    if (!objective) return fail(tr("Objective: %1").arg(inWords(objective.error().message)).toStdString());
    options.objective = *objective;
    if (case_->currentIndex() > 0) options.run.cases = {case_->currentText().toStdString()};
    return options;
}

}  // namespace kernelgen::studio
