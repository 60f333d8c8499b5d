// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/session/rules.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace kernelgen::studio {

/// Shows the rules by case that the tunings propose, and what each of them costs and gains. Accepted: they are to be
/// verified and adopted.
class RulesDialog : public QDialog {
    Q_OBJECT

public:
    explicit RulesDialog(const Rules& rules, QWidget* parent = nullptr);

private:
    void fill();
    void addRules(const RuleProposal& proposal);
    void addDispatch(const RuleProposal& proposal);

    const Rules& rules_;
    QLabel* heading_;
    QTreeWidget* tree_;
    QPushButton* adopt_;
};

}  // namespace kernelgen::studio
