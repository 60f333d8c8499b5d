// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "app/studio/assembly/listing_model.h"

namespace kernelgen::studio {

/// Draws a row of code: on the colour of its source line, with its instruction in the colour of what it does.
class ListingDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ListingDelegate(const ListingModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

    /// The source line whose rows stand out, and what is looked for.
    void setMarked(const std::string& file, int line);
    void setWanted(const QString& text) { wanted_ = text; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    bool isMarked(int row) const;
    void paintCode(QPainter& painter, const QStyleOptionViewItem& option, int row) const;

    const ListingModel& model_;
    std::string marked_file_;
    int marked_line_ = 0;
    QString wanted_;
};

}  // namespace kernelgen::studio
