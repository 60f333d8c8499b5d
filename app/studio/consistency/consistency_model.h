// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPalette>

#include "core/files/consistency.h"

namespace kernelgen::studio {

/// The checklist: aspects as rows, the definition and the four files as columns, each cell ✓ or ✗ with what it says.
class ConsistencyModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setConsistency(const Consistency& consistency);
    void clear() { setConsistency({}); }
    void setPalette(const QPalette& palette);

    /// The file of a column, relative to the project's folder; "" where it has none.
    QString fileAt(int column) const;
    /// The place of a mismatch that a cell is part of: its file's in a cell that differs; null in others.
    const Diagnostic* mismatchAt(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const ChecklistCell& cellAt(const QModelIndex& index) const;
    QVariant colourAt(const QModelIndex& index) const;
    QString tipAt(const QModelIndex& index) const;

    Consistency consistency_;
    QPalette palette_;
};

/// Row and column titles in the interface's language.
QString nameOf(Aspect aspect);
QString nameOf(FileRole role);
/// Line of a diagnostic's "line N"; 0 where it names none.
int lineOf(const Diagnostic& diagnostic);

}  // namespace kernelgen::studio
