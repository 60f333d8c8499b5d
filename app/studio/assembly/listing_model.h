// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "app/studio/assembly/code_view.h"

namespace kernelgen::studio {

/// The rows of a build's code: the line of the source, and the code.
class ListingModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Line, Code };

    using QAbstractTableModel::QAbstractTableModel;

    void setCode(SharedCode code);  ///< null for none
    const SharedCode& code() const { return code_; }
    const ListingLine& line(int row) const { return code_->listing.lines[static_cast<std::size_t>(row)]; }
    /// '-' of a row that only the other code has, '+' of one that it lacks, ' ' where nothing is compared.
    char mark(int row) const { return code_->marks.empty() ? ' ' : code_->marks[static_cast<std::size_t>(row)]; }
    int colour(int row) const { return code_->colours[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString placeOf(int row) const;
    SharedCode code_;
};

/// What an instruction of a group does, in a word.
QString wordOf(InstructionGroup group);

/// "12 instructions: 4 float, 2 load; registers: 6 vector, 3 general; no spills".
QString mixInWords(const InstructionMix& mix, CodeKind kind);

}  // namespace kernelgen::studio
