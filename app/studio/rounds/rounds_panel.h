// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QWidget>
#include <functional>

#include "app/studio/rounds/round_columns.h"
#include "app/studio/rounds/round_details.h"
#include "app/studio/rounds/rounds_filter.h"
#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// The rounds in a table that sorts and filters, with the selected one's details and its difference to another.
class RoundsPanel : public QWidget {
    Q_OBJECT

public:
    explicit RoundsPanel(Session& session, QWidget* parent = nullptr);

    void focusFilter();
    /// The difference of the selected round to the other one that is marked in the table, or to its parent.
    void compare();
    void toggleStar();  ///< of the selected round
    bool isBestOnly() const { return best_only_->isChecked(); }
    void setBestOnly(bool on);  ///< only the best rounds of each variant, and starred ones
    void copyAsText() const;    ///< the marked rounds with the titles of the shown columns, between tabulators

signals:
    void bestOnlyChanged(bool on);
    void restoreWanted();  ///< of the selected round

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeFilter();
    void makeTable();
    void makeActions();
    QAction* makeAction(const QString& name, const QString& icon, const QString& tip);
    void place();
    void sizeColumns();
    void follow();
    void beginAnew();
    void takeHistory();
    void applyFilter(const QString& text);
    void changeRows(const std::function<void()>& change);
    void star(int number);
    void readStars();
    void showSelected();
    void showMenu(const QPoint& position);
    void showProgress(const QString& stage, int done, int total);
    void updateState();
    void applyPalette();
    std::vector<int> columns() const;
    std::vector<int> marked() const;  ///< numbers, in the table's order

    Session& session_;
    RoundsModel model_;
    RoundsFilter filtered_;
    QLineEdit* filter_ = nullptr;
    QLabel *count_ = nullptr, *running_ = nullptr, *empty_ = nullptr;
    QTableView* table_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    RoundDetails* details_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QAction *restore_ = nullptr, *compare_ = nullptr, *copy_ = nullptr;
    QToolButton *best_only_ = nullptr, *columns_button_ = nullptr;
    RoundColumns* columns_ = nullptr;
    bool following_ = true;  ///< whether the table's current row becomes the selected round
};

}  // namespace kernelgen::studio
