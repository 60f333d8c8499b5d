// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/rules_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/number_text.h"

namespace kernelgen::studio {

namespace {

enum Column { what, takes, loss, over_present, over_otherwise, columns };
constexpr int numbers[] = {loss, over_present, over_otherwise};

/// A rule: its cases stand below it.
QTreeWidgetItem* addRule(QTreeWidget& tree, const QString& condition, const QString& takes) {
    auto* rule = new QTreeWidgetItem(&tree, {condition, takes});
    rule->setToolTip(what, condition);
    rule->setToolTip(Column::takes, takes);
    QFont bold = rule->font(what);
    bold.setBold(true);
    rule->setFont(what, bold);
    return rule;
}

QTreeWidgetItem* addCase(QTreeWidgetItem& rule, const std::string& name) {
    auto* row = new QTreeWidgetItem(&rule, {toQt(name)});
    for (const int each : numbers) row->setTextAlignment(each, Qt::AlignRight | Qt::AlignVCenter);
    return row;
}

}  // namespace

RulesDialog::RulesDialog(const Rules& rules, QWidget* parent)
    : QDialog(parent), rules_(rules), heading_(new QLabel), tree_(new QTreeWidget) {
    setObjectName("rules_dialog");
    setWindowTitle(tr("Rules by case"));
    resize(960, 360);
    heading_->setObjectName("rules_heading");
    heading_->setWordWrap(true);
    heading_->setTextFormat(Qt::PlainText);
    tree_->setObjectName("rules_tree");
    tree_->setAccessibleName(tr("Proposed rules"));
    tree_->setHeaderLabels({tr("Rule and its cases"), tr("Configuration"), tr("Over its best"), tr("× present"),
                            tr("× without the rule")});
    tree_->headerItem()->setToolTip(loss, tr("How much slower the case is than with its own best configuration"));
    tree_->headerItem()->setToolTip(over_present, tr("Speedup over the project's present configuration"));
    tree_->headerItem()->setToolTip(over_otherwise,
                                    tr("Speedup over what would count without this rule; – where that is not right, "
                                       "or was not measured"));
    tree_->header()->setStretchLastSection(false);
    for (const int each : numbers) tree_->headerItem()->setTextAlignment(each, Qt::AlignRight | Qt::AlignVCenter);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    adopt_ = buttons->addButton(tr("Verify and adopt"), QDialogButtonBox::AcceptRole);
    adopt_->setObjectName("rules_adopt");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(heading_);
    rows->addWidget(tree_, 1);
    rows->addWidget(buttons);
    fill();
}

void RulesDialog::fill() {
    const std::shared_ptr<const RuleProposal> proposal = rules_.proposal();
    tree_->setHidden(!proposal);
    adopt_->setEnabled(proposal && !rules_.areInForce());
    if (!proposal) return heading_->setText(rules_.whyNone());
    QString text = tr("The fewest rules for %1 on %2 by which no case loses more than 1 % against its own best.")
                       .arg(toQt(proposal->variant), toQt(proposal->device));
    if (proposal->replaced > 0)
        text += ' ' + tr("They replace %n rule(s) that it has for these cases.", nullptr,
                         static_cast<int>(proposal->replaced));
    if (!proposal->kept.empty())
        text += ' ' + tr("%n rule(s) for other cases stay.", nullptr, static_cast<int>(proposal->kept.size()));
    text += ' ' + (rules_.areInForce() ? tr("The project has them already.")
                                       : tr("They are verified on all cases first; the project is saved."));
    heading_->setText(text);
    addRules(*proposal);
    addDispatch(*proposal);
    tree_->expandAll();
    for (int each = 0; each < columns; ++each) tree_->resizeColumnToContents(each);
    tree_->setColumnWidth(takes, std::min(tree_->columnWidth(takes), 440));
}

void RulesDialog::addRules(const RuleProposal& proposal) {
    for (const ProposedRule& rule : proposal.rules) {
        const bool is_rule = !rule.when.empty();
        auto* row = addRule(*tree_, is_rule ? tr("when %1").arg(toQt(rule.when)) : tr("where no rule holds"),
                            configurationText(rule.configuration));
        for (const ProposedCase& each : rule.cases) {
            auto* line = addCase(*row, each.name);
            line->setText(loss, percentText(each.loss));
            if (each.over_present) line->setText(over_present, ratioText(*each.over_present));
            if (is_rule) line->setText(over_otherwise, each.over_otherwise ? ratioText(*each.over_otherwise) : tr("–"));
        }
    }
}

void RulesDialog::addDispatch(const RuleProposal& proposal) {
    for (const ProposedDispatch& each : proposal.dispatch) {
        auto* row = addRule(*tree_, tr("dispatch when %1").arg(toQt(each.rule.when)),
                            tr("variant %1").arg(toQt(each.rule.variant)));
        for (std::size_t i = 0; i < each.cases.size(); ++i)
            addCase(*row, each.cases[i])->setText(over_otherwise, tr("at least %1").arg(ratioText(each.over_tuned[i])));
    }
}

}  // namespace kernelgen::studio
