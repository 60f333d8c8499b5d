// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_setup.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>
#include <limits>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/flow_layout.h"
#include "app/studio/application/text.h"
#include "core/base/duration.h"

namespace kernelgen::studio {

TuningSetup::TuningSetup(Session& session, QWidget* parent) : QWidget(parent), session_(session), count_(new QLabel) {
    auto* line = new FlowLayout(this);
    line->setContentsMargins({});
    line->setSpacing(6);
    addHow();
    addWhat();
    count_->setObjectName("tuning_count");
    count_->setMinimumHeight(budget_->sizeHint().height());
    line->addWidget(count_);
    connect(&session_.document(), &ProjectDocument::opened, this, &TuningSetup::fillCases);
    connect(&session_.document(), &ProjectDocument::changed, this, &TuningSetup::fillCases);
    connect(&session_, &Session::variantChanged, this, &TuningSetup::showCount);
    connect(&session_.tuningChoices(), &TuningChoices::changed, this, &TuningSetup::showFields);
    fillCases();
    showFields();
    keepFields();
}

/// Puts the session's entries into the fields.
void TuningSetup::showFields() {
    const TuningFields fields = session_.tuningChoices().fields();
    budget_->setCurrentText(fields.budget);
    objective_->setCurrentText(fields.objective);
    most_->setValue(fields.most);
    seed_->setValue(fields.seed);
    strategy_->setCurrentIndex(fields.strategy);
    chooseCase();
    showCount();
}

/// Keeps in the session what a person changes.
void TuningSetup::keepFields() {
    TuningFields& fields = session_.tuningChoices().fields();
    connect(budget_, &QComboBox::currentTextChanged, this, [&fields](const QString& text) { fields.budget = text; });
    connect(objective_, &QComboBox::currentTextChanged, this,
            [&fields](const QString& text) { fields.objective = text; });
    connect(most_, &QSpinBox::valueChanged, this, [&fields](int value) { fields.most = value; });
    connect(seed_, &QSpinBox::valueChanged, this, [&fields](int value) { fields.seed = value; });
    connect(strategy_, &QComboBox::currentIndexChanged, this, [&fields](int index) { fields.strategy = index; });
    connect(case_, &QComboBox::activated, this, [this, &fields](int index) {
        fields.all_cases = index == 0;
        fields.chosen_case = case_->itemText(index);
    });
}

/// A field behind its name, which stay together.
void TuningSetup::add(const QString& label, QWidget* field, const QString& name, const QString& tip) {
    auto* pair = new QWidget;
    auto* row = new QHBoxLayout(pair);
    auto* text = new QLabel(label);
    row->setContentsMargins({});
    row->setSpacing(4);
    row->addWidget(text);
    row->addWidget(field);
    text->setBuddy(field);
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setToolTip(tip);
    layout()->addWidget(pair);
}

QComboBox* TuningSetup::addBox(const QString& label, const QString& name, const QString& tip) {
    auto* box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(5);
    add(label, box, name, tip);
    return box;
}

QSpinBox* TuningSetup::addNumber(const QString& label, const QString& name, const QString& tip) {
    auto* number = new QSpinBox;
    number->setRange(0, std::numeric_limits<int>::max());
    number->setFixedWidth(number->fontMetrics().averageCharWidth() * 13);  // the widest number would take more
    number->findChild<QLineEdit*>()->setAccessibleName(label);
    add(label, number, name, tip);
    return number;
}

void TuningSetup::addHow() {
    budget_ = addBox(tr("Budget"), "tuning_budget",
                     tr("Time for all cases together, such as 90s, 5m or 1h; the final takes what it needs of it"));
    budget_->setEditable(true);
    budget_->lineEdit()->setAccessibleName(tr("Budget"));
    budget_->addItems({"1m", "2m", "5m", "15m", "1h"});
    budget_->setCurrentText("5m");
    most_ = addNumber(tr("At most"), "tuning_most", tr("The most configurations of a case that are tried"));
    most_->setSpecialValueText(tr("no limit"));
    strategy_ = addBox(tr("Strategy"), "tuning_strategy", tr("How the next configurations are chosen"));
    for (const Strategy each : all_strategies) strategy_->addItem(toQt(to_string(each)));
    const QString tips[] = {tr("Learns from times and failures what makes a configuration fast (the default)"),
                            tr("Every configuration, in the space's order"), tr("Every configuration, in random order"),
                            tr("A coarse grid, then the neighbours of its best fifth"),
                            tr("Climbs from a random configuration to better neighbours")};
    for (int i = 0; i < strategy_->count(); ++i) strategy_->setItemData(i, tips[i], Qt::ToolTipRole);
    seed_ = addNumber(tr("Seed"), "tuning_seed",
                      tr("Of the strategy's random choices: with the same results, the same seed tries the same"));
}

void TuningSetup::addWhat() {
    objective_ =
        addBox(tr("Objective"), "tuning_objective",
               tr("What becomes small: time, memory, or a weighting such as \"0.7 time 0.3 memory\"; energy too, "
                  "where a GPU tells it"));
    objective_->setEditable(true);
    objective_->lineEdit()->setAccessibleName(tr("Objective"));
    objective_->addItems({"time", "memory", "0.7 time 0.3 memory"});
    case_ = addBox(tr("Case"), "tuning_case", tr("What is tuned: one case, or one after the other"));
    case_->setMinimumContentsLength(14);  // "4096x4096 bf16"
}

void TuningSetup::fillCases() {
    QStringList names{tr("all")};
    for (const Case& each : session_.document().project().cases) names << toQt(each.name);
    QStringList present;
    for (int i = 0; i < case_->count(); ++i) present << case_->itemText(i);
    if (names != present) {
        case_->clear();
        case_->addItems(names);
        chooseCase();
    }
    showCount();
}

/// The case of the session's entries; the first where it has none, or one of another project.
void TuningSetup::chooseCase() {
    const TuningFields& fields = session_.tuningChoices().fields();
    const int first = std::min(1, case_->count() - 1), chosen = case_->findText(fields.chosen_case);
    case_->setCurrentIndex(fields.all_cases ? 0 : chosen > 0 ? chosen : first);
}

/// How many combinations take part, before restrictions.
void TuningSetup::showCount() {
    const Variant* variant = session_.variant();
    if (variant == nullptr || variant->tunables.empty()) return count_->clear();
    const double count = session_.tuningChoices().combinations(*variant);
    count_->setText(tr("%L1 in all").arg(count, 0, 'f', 0));
    count_->setToolTip(
        tr("Combinations of the values that take part, before restrictions. The check boxes at the sliders on the "
           "right choose "
           "tunables and values."));
}

Result<TuneOptions> TuningSetup::options() const {
    TuneOptions options;
    const auto seconds = parse_duration(budget_->currentText().trimmed().toStdString());
    if (!seconds) return fail(tr("The budget is no time: write such as 90s, 5m or 1h").toStdString());
    options.budget_seconds = *seconds;
    if (most_->value() > 0) options.evaluations = most_->value();
    options.strategy = all_strategies[strategy_->currentIndex()];
    options.seed = static_cast<std::uint64_t>(seed_->value());
    const Result<Objective> objective = parse_objective(objective_->currentText().trimmed().toStdString());
    if (!objective) return fail(tr("Objective: %1").arg(inWords(objective.error().message)).toStdString());
    options.objective = *objective;
    if (case_->currentIndex() > 0) options.run.cases = {case_->currentText().toStdString()};
    return options;
}

}  // namespace kernelgen::studio
