// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <set>

#include "app/studio/queue/queue_model.h"
#include "app/studio/session/session.h"

class QAction;
class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QTableView;

namespace kernelgen::studio {

/// The runs that are queued: their state and order, and when the last of them will have ended.
class QueuePanel : public QWidget {
    Q_OBJECT

public:
    explicit QueuePanel(Session& session, QWidget* parent = nullptr);

    void choose();  ///< lets a person choose what to queue

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeTable();
    void makeActions(QHBoxLayout* bar);
    QAction* addAction(QHBoxLayout* bar, const QString& name, const QString& keys, const QString& tip);
    std::set<int> marked() const;  ///< ids
    void move(bool up);
    void goToRound(int row);
    void refresh();
    void showHead();
    void sizeColumns();
    void applyPalette();

    Session& session_;
    QueueModel model_;
    QLabel *head_, *empty_;
    QStackedWidget* pages_;
    QTableView* table_;
    QAction *choose_ = nullptr, *up_ = nullptr, *down_ = nullptr, *cancel_ = nullptr, *pause_ = nullptr,
            *clear_ = nullptr;
    QTimer clock_;  ///< the time left grows shorter
};

}  // namespace kernelgen::studio
