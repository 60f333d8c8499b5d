// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <optional>
#include <vector>

#include "app/studio/assembly/listing_model.h"

namespace kernelgen::studio {

/// Draws a row of code: on the colour of its source line, with its instruction in the colour of what it does. An arrow
/// stands where something can be folded, and a line beside each loop.
class ListingDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int fold_width = 13;  ///< at the left of a row, where a click folds

    ListingDelegate(const ListingModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

    /// The lines of the listing that stand out, ascending, and what is looked for.
    void setMarked(std::vector<std::size_t> lines) { marked_ = std::move(lines); }
    void setWanted(const QString& text) { wanted_ = text; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    std::optional<std::size_t> markedIn(int row) const;
    void paintPlace(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintCode(QPainter& painter, const QStyleOptionViewItem& option, int row) const;

    const ListingModel& model_;
    std::vector<std::size_t> marked_;
    QString wanted_;
};

}  // namespace kernelgen::studio
