// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include "app/studio/rounds/rounds_model.h"

namespace kernelgen::studio {

/// The rounds that a text matches, in the order of a column; of equals the newer is the greater. Rounds without a value
/// in the column come last, whichever way the others are sorted.
class RoundsFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit RoundsFilter(RoundsModel& model, QObject* parent = nullptr)
        : QSortFilterProxyModel(parent), model_(model) {
        setSourceModel(&model);
        sort(RoundsModel::Number, Qt::DescendingOrder);
    }

    void setText(const QString& text) {
        text_ = text.trimmed();
        invalidateRowsFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex&) const override {
        return text_.isEmpty() || model_.matches(row, text_);
    }

    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
        const auto column = static_cast<RoundsModel::Column>(a.column());
        const bool known = model_.isKnown(a.row(), column);
        if (known != model_.isKnown(b.row(), column)) return known == (sortOrder() == Qt::AscendingOrder);
        const std::weak_ordering order = model_.compare(a.row(), b.row(), column);
        return order == std::weak_ordering::equivalent ? a.row() < b.row() : order < 0;
    }

private:
    RoundsModel& model_;
    QString text_;
};

}  // namespace kernelgen::studio
