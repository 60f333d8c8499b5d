// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QWidget>

#include "app/studio/reports/problems_model.h"
#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// Everything that is wrong now: the project's diagnostics, what kept the last run from starting, and the compiler's
/// messages.
class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    explicit ProblemsPanel(Session& session, QWidget* parent = nullptr);

    int errors() const { return errors_; }

signals:
    void countChanged(int errors);
    void goToDefinition(const QString& where);
    void goToSource(const QString& file, int line, int column);

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeTable();
    void follow();
    void forgetRefusal();
    void refresh();
    void goTo(const QModelIndex& row);
    void copy() const;
    void applyPalette();
    std::vector<Problem> found() const;

    Session& session_;
    ProblemsModel model_;
    QStackedWidget* pages_;
    QTableView* table_;
    QLabel* empty_;
    QString refusal_;  ///< why the last run did not start, until something changes
    int errors_ = 0;
};

}  // namespace kernelgen::studio
