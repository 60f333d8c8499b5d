// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include "app/studio/rounds/rounds_model.h"

namespace kernelgen::studio {

/// The rounds that a text matches, in the order of a column; of equals the newer is the greater. Starred rounds come
/// first and rounds without a value in the column last, whichever way the others are sorted.
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

    void setBestOnly(bool on) {
        best_only_ = on;
        invalidateRowsFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex&) const override {
        if (best_only_ && !model_.isBest(row) && !model_.isStarred(row)) return false;
        return text_.isEmpty() || model_.matches(row, text_);
    }

    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
        const int column = a.column();
        const bool starred = model_.isStarred(a.row());
        if (starred != model_.isStarred(b.row())) return starred == (sortOrder() == Qt::AscendingOrder);
        const bool known = model_.isKnown(a.row(), column);
        if (known != model_.isKnown(b.row(), column)) return known == (sortOrder() == Qt::AscendingOrder);
        const std::weak_ordering order = model_.compare(a.row(), b.row(), column);
        return order == std::weak_ordering::equivalent ? a.row() < b.row() : order < 0;
    }

private:
    RoundsModel& model_;
    QString text_;
    bool best_only_ = false;
};

}  // namespace kernelgen::studio
