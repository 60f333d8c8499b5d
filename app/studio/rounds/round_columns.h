// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "app/studio/application/settings.h"
#include "app/studio/rounds/rounds_model.h"

class QHeaderView;
class QMenu;
class QTableView;

namespace kernelgen::studio {

/// Which columns of the rounds are shown, in which order: as the person chose by the menu and by dragging titles. The
/// choice is kept in the settings, by the columns' names, so that it holds for all projects.
class RoundColumns : public QObject {
    Q_OBJECT

public:
    RoundColumns(QTableView& table, const RoundsModel& model, Settings& settings, QObject* parent);

    QMenu& menu() { return *menu_; }
    /// The model may have other columns.
    void apply();
    QString idOf(int column) const;         ///< its name in the settings
    int columnOf(const QString& id) const;  ///< -1 where the model has none of that name

private:
    QString titleOf(int column) const;
    QStringList shown() const;
    QStringList defaults() const;
    void keep(const QStringList& ids);
    void show(const QString& id, bool on);
    void showTunables(bool on);
    void fillMenu();
    void takeOrder();

    QTableView& table_;
    QHeaderView& header_;
    const RoundsModel& model_;
    Settings& settings_;
    QMenu* menu_;
    bool applying_ = false;
};

}  // namespace kernelgen::studio
