// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/queue/queue_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/queue/queue_model.h"
#include "app/studio/session/session.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

QueueDialog::QueueDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      planner_(session),
      tree_(new QTreeWidget),
      case_alone_(new QCheckBox(tr("A round for each case"))),
      note_(new QLineEdit),
      count_(new QLabel) {
    setObjectName("queue_dialog");
    setWindowTitle(tr("Queue runs"));
    auto* what =
        new QLabel(tr("Every combination of what is marked is a run. They are made one after the other with the "
                      "sources as they are now, also while you go on; one that fails stops none of the others."));
    what->setWordWrap(true);
    tree_->setObjectName("queue_choices");
    tree_->setAccessibleName(tr("What to run"));
    tree_->setHeaderHidden(true);
    case_alone_->setObjectName("queue_case_alone");
    note_->setObjectName("queue_note");
    note_->setAccessibleName(tr("Note"));
    note_->setPlaceholderText(tr("Why these rounds are made; the log prints it"));
    note_->setMaxLength(500);
    count_->setObjectName("queue_count");
    count_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    queue_ = buttons->addButton(tr("Queue"), QDialogButtonBox::AcceptRole);
    queue_->setObjectName("queue_accept");
    auto* column = new QVBoxLayout(this);
    column->addWidget(what);
    column->addWidget(tree_, 1);
    column->addWidget(case_alone_);
    column->addWidget(note_);
    column->addWidget(count_);
    column->addWidget(buttons);
    fill(session);
    connect(tree_, &QTreeWidget::itemChanged, &count_turn_, qOverload<>(&QTimer::start));
    connect(case_alone_, &QCheckBox::toggled, this, &QueueDialog::showCount);
    count_turn_.setSingleShot(true);
    count_turn_.callOnTimeout(this, &QueueDialog::showCount);
    connect(buttons, &QDialogButtonBox::accepted, this, &QueueDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QueueDialog::reject);
    queue_->setDefault(true);
    resize(520, 560);
    tree_->setFocus();
    showCount();
}

/// A group's own mark stands for all of its choices.
QTreeWidgetItem* QueueDialog::addGroup(const QString& title) {
    auto* group = new QTreeWidgetItem(tree_, {title});
    group->setFlags(group->flags() | Qt::ItemIsAutoTristate | Qt::ItemIsUserCheckable);
    return group;
}

void QueueDialog::addChoice(QTreeWidgetItem* group, const QString& text, const QVariant& value, bool marked) {
    auto* choice = new QTreeWidgetItem(group, {text});
    choice->setData(0, Qt::UserRole, value);
    choice->setCheckState(0, marked ? Qt::Checked : Qt::Unchecked);
}

/// What F5 would run is marked.
void QueueDialog::fill(Session& session) {
    if (const Variant* variant = session.variant()) {
        for (const Tunable& tunable : variant->tunables) {
            QTreeWidgetItem* group = addGroup(toQt(tunable.name));
            group->setData(0, Qt::UserRole, toQt(tunable.name));
            for (const std::int64_t value : tunable.values)
                addChoice(group, QString::number(value), static_cast<qlonglong>(value), value == tunable.value);
        }
    }
    devices_ = addGroup(tr("Devices"));
    for (const std::string& each : planner_.devices())
        addChoice(devices_, toQt(each), toQt(each), toQt(each) == session.device());
    cases_group_ = addGroup(tr("Cases"));
    cases_ = session.document().project().cases;
    for (std::size_t i = 0; i < cases_.size(); ++i)
        addChoice(cases_group_, toQt(cases_[i].name), static_cast<qulonglong>(i), true);
    tree_->expandAll();
}

QueueWish QueueDialog::wish() const {
    QueueWish wish{.values = {}, .devices = {}, .cases = {}, .case_alone = case_alone_->isChecked(), .note = {}};
    for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* group = tree_->topLevelItem(i);
        const bool is_tunable = group != devices_ && group != cases_group_;
        if (is_tunable) wish.values[group->data(0, Qt::UserRole).toString().toStdString()];
        for (int j = 0; j < group->childCount(); ++j) {
            const QTreeWidgetItem* choice = group->child(j);
            if (choice->checkState(0) != Qt::Checked) continue;
            const QVariant value = choice->data(0, Qt::UserRole);
            if (group == devices_) wish.devices.push_back(value.toString().toStdString());
            else if (group == cases_group_) wish.cases.push_back(cases_[value.toULongLong()]);
            else wish.values[group->data(0, Qt::UserRole).toString().toStdString()].push_back(value.toLongLong());
        }
    }
    return wish;
}

std::vector<QueuedRun> QueueDialog::runs() {
    if (count_turn_.isActive()) showCount();
    std::vector<QueuedRun> runs = plan_.runs;
    for (QueuedRun& each : runs) each.note = note_->text().trimmed();
    return runs;
}

void QueueDialog::showCount() {
    count_turn_.stop();
    plan_ = planner_.plan(wish());
    const int runs = static_cast<int>(plan_.runs.size());
    QString text = plan_.problem.isEmpty() ? tr("%n run(s)", nullptr, runs) : plan_.problem;
    if (plan_.forbidden > 0)
        text += QStringLiteral("; ") + tr("%n that a restriction forbids is (are) left out", nullptr, plan_.forbidden);
    count_->setText(text);
    QPalette own = palette();
    if (runs == 0) own.setColor(QPalette::WindowText, coloursOf(palette()).bad);
    count_->setPalette(own);
    queue_->setEnabled(runs > 0);
    queue_->setText(runs == 0 ? tr("Queue") : tr("Queue %n run(s)", nullptr, runs));
}

}  // namespace kernelgen::studio
