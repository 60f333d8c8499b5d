// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/consistency/consistency_check.h"
#include "app/studio/consistency/consistency_model.h"
#include "app/studio/session/session.h"

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace kernelgen::studio {

/// The checklist of the four files of an operator, what of them does not agree, and what is stale.
class ConsistencyPanel : public QWidget {
    Q_OBJECT

public:
    explicit ConsistencyPanel(Session& session, QWidget* parent = nullptr);

    void bringInStep();
    int mismatches() const;

signals:
    void countChanged(int mismatches);
    void goToSource(const QString& file, int line, int column);
    void goToDefinition(const QString& where);
    void done(const QString& what);  ///< what bringing in step did, in a sentence
    void settingsWanted();           ///< to name an interpreter

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeTable();
    void makeList();
    QWidget* makeHead();
    void refresh();
    void showMessage(const QString& text);
    void showMissingPython(const QString& problem);
    void fillList(const Consistency& found);
    void goToCell(const QModelIndex& index);
    void goToItem(const QListWidgetItem* item);
    void goTo(const Diagnostic& mismatch);
    void takeStep(const QStringList& done, const QString& problem);
    void applyPalette();

    Session& session_;
    ConsistencyCheck check_;
    ConsistencyModel model_;
    QLabel *mark_, *state_, *message_;
    QPushButton* step_;
    QStackedWidget* pages_;
    QTableView* table_;
    QListWidget* list_;
    int mismatches_ = 0;
};

}  // namespace kernelgen::studio
