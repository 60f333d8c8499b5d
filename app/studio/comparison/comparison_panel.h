// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/comparison/comparison_model.h"
#include "app/studio/session/session.h"

class QLabel;
class QStackedWidget;
class QTableView;

namespace kernelgen::studio {

/// All variants of the device in use side by side, as a table.
class ComparisonPanel : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonPanel(Session& session, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeTable();
    void refresh();
    QString whyEmpty() const;
    void fitColumns();
    void copy() const;
    void applyPalette();

    Session& session_;
    ComparisonModel model_;
    QLabel *head_, *empty_;
    QStackedWidget* pages_;
    QTableView* table_;
};

}  // namespace kernelgen::studio
