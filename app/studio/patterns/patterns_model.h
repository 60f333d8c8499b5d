// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPalette>

#include "app/studio/session/pattern_library.h"

namespace kernelgen::studio {

/// Patterns as rows. The box of a row says whether it counts, and its note can be written.
class PatternsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Strategy,
        Finding,
        Operator,
        DType,
        Shape,
        Device,
        Rounds,
        Gain,
        Next,
        Counterexamples,
        Origin,
        Note
    };
    static constexpr int column_count = Note + 1;
    static constexpr int sort_role = Qt::UserRole;  ///< numbers as numbers

    using QAbstractTableModel::QAbstractTableModel;

    void setContent(const std::shared_ptr<const PatternLibrary::Content>& content);
    void setPalette(const QPalette& palette);
    const Pattern& patternAt(int row) const { return content_->patterns.all[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void edited(const kernelgen::Pattern& pattern);

private:
    QString textAt(const Pattern& pattern, int column) const;
    QVariant sortKey(const Pattern& pattern, int column) const;
    QString tipOf(const Pattern& pattern, int column) const;

    std::shared_ptr<const PatternLibrary::Content> content_;
    QPalette palette_;
};

}  // namespace kernelgen::studio
