// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPalette>
#include <memory>

#include "app/studio/charts/comparison_data.h"

namespace kernelgen::studio {

/// A comparison as rows: the variants of each case, the fastest first.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Binding, Variant, State, Median, Speedup, Interval, Bandwidth, Ceiling, Tunables };
    static constexpr int column_count = Tunables + 1;
    static constexpr int full_text_role = Qt::UserRole;  ///< a cell that is empty since it repeats the one above, too

    using QAbstractTableModel::QAbstractTableModel;

    void setComparison(const std::shared_ptr<const Comparison>& comparison);  ///< null: no rows
    void setPalette(const QPalette& palette);
    QString variantAt(int row) const { return rows_[static_cast<std::size_t>(row)].compared.variant; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString binding;
        bool first = false;  ///< of its case
        ComparedCase compared;
    };
    QString textAt(const Row& row, int column) const;
    QVariant colourAt(const Row& row, int column) const;

    std::vector<Row> rows_;
    QPalette palette_;
};

}  // namespace kernelgen::studio
