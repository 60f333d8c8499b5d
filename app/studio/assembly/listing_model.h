// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <utility>

#include "app/studio/assembly/code_view.h"
#include "app/studio/assembly/folding.h"

namespace kernelgen::studio {

/// The rows of a build's code: the line of the source, and the code. A row is a line of the listing that is not folded
/// into another one.
class ListingModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Line, Code };

    using QAbstractTableModel::QAbstractTableModel;

    void setCode(SharedCode code);  ///< null for none
    const SharedCode& code() const { return code_; }
    std::size_t lineOf(int row) const { return folding_.lineOf(row); }  ///< its index in the listing
    int rowOf(std::size_t line) const { return folding_.rowOf(line); }  ///< or of what it is folded into
    const ListingLine& line(int row) const { return code_->listing.lines[lineOf(row)]; }
    /// The lines of the listing that a row stands for: more than one where they are folded. [first, end)
    std::pair<std::size_t, std::size_t> linesOf(int row) const;
    /// '-' of a row that only the other code has, '+' of one that it lacks, ' ' where nothing is compared.
    char mark(int row) const { return code_->marks.empty() ? ' ' : code_->marks[lineOf(row)]; }
    int colour(int row) const { return code_->colours[lineOf(row)]; }
    /// "loop, 34 lines" of a row that is folded; else "".
    QString folded(int row) const;

    const Folding& folding() const { return folding_; }
    /// Changes what is folded; views forget what was selected.
    void fold(const std::function<void(Folding&)>& change);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString placeOf(int row) const;
    QString textOf(int row) const;
    SharedCode code_;
    Folding folding_;
};

/// What an instruction of a group does, in a word.
QString wordOf(InstructionGroup group);

/// "12 instructions: 4 float, 2 load; registers: 6 vector, 3 general; no spills".
QString mixInWords(const InstructionMix& mix, CodeKind kind);

}  // namespace kernelgen::studio
