// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <QPalette>
#include <QTimer>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/round/history.h"

namespace kernelgen::studio {

/// The rounds of a history as rows, ascending in number, with a column for each tunable that any of them has. Sort keys
/// are computed once, texts when they are shown.
class RoundsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Number,
        Verdict,
        Speedup,
        Gain,
        Bandwidth,
        OfCeiling,
        Device,
        Variant,
        Tunables,
        Change,
        Baseline,
        Time,
        Note,
        Star  ///< whether the person has marked the round; behind it come the tunables
    };
    static constexpr int column_count = Star + 1;

    explicit RoundsModel(QObject* parent = nullptr);

    void setHistory(std::shared_ptr<const History> history);
    void setPalette(const QPalette& palette);

    const Round& round(int row) const { return history_->rounds[static_cast<std::size_t>(row)]; }
    int rowOf(int number) const;  ///< -1 where the history has no such round
    /// The tunable of a column behind the others; "" of the others.
    QString tunableOf(int column) const;
    bool isStarred(int row) const { return starred_.contains(round(row).number); }
    void setStarred(std::set<int> numbers);
    /// Whether it is the best of the rounds of its variant that may be compared with it.
    bool isBest(int row) const { return best_.contains(round(row).number); }

    bool isKnown(int row, int column) const;  ///< false of what was not measured, and of a tunable of other variants
    /// The order of two rows by a column in which both are known, or neither is.
    std::weak_ordering compare(int a, int b, int column) const;
    /// Whether any column of the row has that text in it, whatever its case.
    bool matches(int row, const QString& text) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// The figures of the deciding case; NaN where there is none.
    struct Figures {
        double speedup, gain, bandwidth, of_ceiling;
    };
    Figures figuresOf(const Round& round) const;
    QString text(int row, Column column) const;
    QString plainText(int row, Column column) const;  ///< without a mark of noise
    QString toolTip(int row, Column column) const;
    bool isUnsure(const Round& round, Column column) const;
    QVariant colour(const Round& round, Column column, int role) const;
    void findBest();
    std::optional<std::int64_t> tunableValue(int row, int column) const;
    QVariant tunableData(const QModelIndex& index, int role) const;
    const QString& searchText(int row) const;
    void prepareSearch();

    std::shared_ptr<const History> history_;
    std::vector<Figures> figures_;
    std::vector<std::string> tunables_;          ///< in alphabetical order
    std::set<int> starred_, best_;               ///< numbers of rounds
    mutable std::vector<QString> search_texts_;  ///< made while nothing else is to do, or when first searched
    int prepared_ = 0;                           ///< rows whose text is there
    QTimer idle_;
    QPalette palette_;
    std::map<Status, QIcon> dots_;
};

}  // namespace kernelgen::studio
