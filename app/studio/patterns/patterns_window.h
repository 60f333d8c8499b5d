// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QSortFilterProxyModel>

#include "app/studio/patterns/patterns_model.h"
#include "app/studio/session/session.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace kernelgen::studio {

/// The patterns by which strategies are ordered: what each gained before, and where. They can be disabled, noted on,
/// deleted, exported and imported.
class PatternsWindow : public QDialog {
    Q_OBJECT

public:
    explicit PatternsWindow(Session& session, QWidget* parent = nullptr);

    void importFile(const QString& file) { library_.importFile(file); }
    void exportTo(const QString& file) { library_.exportOwn(file); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeTable();
    void fitColumns();
    QWidget* makeActions();
    QPushButton* add(const QString& text, const char* id, void (PatternsWindow::*act)());
    void refresh();
    void updateButtons();
    void tell(const QString& message, bool is_problem);
    const Pattern* chosen() const;
    void toggle();
    void remove();
    void askWhatToImport();
    void askWhereToExport();

    Session& session_;
    PatternLibrary library_;
    PatternsModel model_;
    QSortFilterProxyModel sorted_;
    QLineEdit* filter_;
    QLabel *what_, *empty_, *told_;
    QTableView* table_;
    QPushButton *toggle_ = nullptr, *remove_ = nullptr, *import_ = nullptr, *export_ = nullptr;
    bool told_problem_ = false;
};

}  // namespace kernelgen::studio
