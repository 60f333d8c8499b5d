// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPalette>
#include <vector>

#include "core/report/model_report.h"

namespace kernelgen::studio {

/// A line of the page: calls of one operator, or neighbours as one kernel.
struct ModelLine {
    QStringList texts;            ///< by column
    std::vector<double> numbers;  ///< by column; -1 where there is none
    CallRange calls;              ///< the first of its places
    std::size_t place = 0;        ///< of the row or the group in the profile
};

/// A model's calls, or its groups of neighbours, as a table in the report's order.
class ModelLines : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Calls, Times, Operator, Module, Inputs, Time, Flops, Bytes, Intensity, Reached, Share, Gain };
    static constexpr int column_count = Gain + 1;
    static constexpr int sort_role = Qt::UserRole;     ///< a number, or the text where the column has none
    static constexpr int bar_role = Qt::UserRole + 1;  ///< 0 … 1, of columns that are drawn as bars

    using QAbstractTableModel::QAbstractTableModel;

    void setCalls(const ModelReport& report);
    void setNeighbours(const ModelReport& report);
    void setPalette(const QPalette& palette);
    const ModelLine& at(int row) const { return lines_[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void setLines(std::vector<ModelLine> lines);

    std::vector<ModelLine> lines_;
    QPalette palette_;
};

}  // namespace kernelgen::studio
