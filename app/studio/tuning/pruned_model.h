// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <string>
#include <vector>

#include "core/tuning/pruned_list.h"

namespace kernelgen::studio {

/// Configurations that are never tried as rows: a column for each tunable, and last the reason.
class PrunedModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// `names`: of the tunables, in the order of their columns. Null: no rows.
    void setListed(std::shared_ptr<const PrunedCase> listed, std::vector<std::string> names);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    bool isReason(int column) const { return column == static_cast<int>(names_.size()); }
    void arrange();

    std::shared_ptr<const PrunedCase> listed_;
    std::vector<std::string> names_;  ///< of the tunables
    std::vector<std::size_t> order_;  ///< of `listed_->listed`
    int sorted_by_ = -1;              ///< a column; -1: as listed
    Qt::SortOrder direction_ = Qt::AscendingOrder;
};

}  // namespace kernelgen::studio
