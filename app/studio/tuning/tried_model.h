// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPalette>
#include <memory>
#include <vector>

#include "core/tune/tuned_columns.h"

namespace kernelgen::studio {

/// The results of a tuning as rows, with a column for each tunable. It sorts itself: ten thousand rows take
/// milliseconds.
class TriedModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, State, Objective, Speedup, Build, Memory };  ///< the tunables follow
    static constexpr int fixed_columns = Memory + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setTuning(std::shared_ptr<const Tuning> tuning);  ///< null: no rows
    void grow();                                           ///< the tuning has further results, or other ones
    void setPalette(const QPalette& palette);
    std::size_t triedAt(int row) const { return order_[static_cast<std::size_t>(row)]; }
    int rowOf(std::size_t tried) const;  ///< -1 where there is none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    const Tried& at(int row) const { return tuning_->tried[triedAt(row)]; }
    const std::string& tunableOf(int column) const;
    QString textAt(int row, int column) const;
    double keyOf(std::size_t tried, int column) const;
    void arrange();

    std::shared_ptr<const Tuning> tuning_;
    std::vector<std::size_t> order_;  ///< of `tuning_->tried`
    int sorted_by_ = Number;
    Qt::SortOrder direction_ = Qt::AscendingOrder;
    QPalette palette_;
};

}  // namespace kernelgen::studio
