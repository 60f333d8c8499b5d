// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPalette>

#include "app/studio/session/run_queue.h"

namespace kernelgen::studio {

/// "40 s", "12 min", "3 h 20 min": how long something takes, about.
QString roughTime(double seconds);

/// The queue's runs in the order in which they are made, a row each.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { State, Outcome, Takes, Tunables, Cases, Variant, Device, column_count };

    explicit QueueModel(const RunQueue& queue, QObject* parent = nullptr);

    void refresh();
    void setPalette(const QPalette& palette);
    const QueuedRun& run(int row) const { return shown_[static_cast<std::size_t>(row)]; }
    int rowOf(int id) const;  ///< -1: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : column_count; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const QueuedRun& run, int column) const;
    QColor colour(const QueuedRun& run) const;

    const RunQueue& queue_;
    std::vector<QueuedRun> shown_;
    QPalette palette_;
};

}  // namespace kernelgen::studio
