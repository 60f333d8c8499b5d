// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

#include "app/studio/session/queue_planner.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace kernelgen::studio {

class Session;

/// Chooses what is queued: values of tunables, devices and cases, of which every combination is a run.
class QueueDialog : public QDialog {
    Q_OBJECT

public:
    explicit QueueDialog(Session& session, QWidget* parent = nullptr);

    std::vector<QueuedRun> runs();

private:
    QTreeWidgetItem* addGroup(const QString& title);
    void addChoice(QTreeWidgetItem* group, const QString& text, const QVariant& value, bool marked);
    void fill(Session& session);
    QueueWish wish() const;
    void showCount();

    QueuePlanner planner_;
    QueuePlan plan_;
    QTimer count_turn_;  ///< a click on a group changes all of its choices
    std::vector<Case> cases_;
    QTreeWidget* tree_;
    QTreeWidgetItem *devices_ = nullptr, *cases_group_ = nullptr;
    QCheckBox* case_alone_;
    QLineEdit* note_;
    QLabel* count_;
    QPushButton* queue_;
};

}  // namespace kernelgen::studio
