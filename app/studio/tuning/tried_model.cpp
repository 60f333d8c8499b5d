// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tried_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/rounds/words.h"
#include "app/studio/theme/theme.h"
#include "app/studio/tuning/tuning_words.h"

namespace kernelgen::studio {

void TriedModel::setTuning(std::shared_ptr<const Tuning> tuning) {
    beginResetModel();
    tuning_ = std::move(tuning);
    if (sorted_by_ >= columnCount()) sorted_by_ = Number;  // this tuning has fewer tunables
    order_.clear();
    for (std::size_t i = 0; tuning_ && i < tuning_->tried.size(); ++i) order_.push_back(i);
    arrange();
    endResetModel();
}

void TriedModel::grow() {
    if (!tuning_) return;
    const int before = rowCount(), now = static_cast<int>(tuning_->tried.size());
    if (now > before) {
        beginInsertRows({}, before, now - 1);
        for (int i = before; i < now; ++i) order_.push_back(static_cast<std::size_t>(i));
        endInsertRows();
    }
    if (before > 0) emit dataChanged(index(0, 0), index(before - 1, columnCount() - 1));
    if (sorted_by_ != Number || direction_ != Qt::AscendingOrder) sort(sorted_by_, direction_);
}

void TriedModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int TriedModel::rowOf(std::size_t tried) const {
    const auto found = std::ranges::find(order_, tried);
    return found == order_.end() ? -1 : static_cast<int>(found - order_.begin());
}

int TriedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int TriedModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    return fixed_columns + (tuning_ ? static_cast<int>(tuning_->head.parameters.size()) : 0);
}

const std::string& TriedModel::tunableOf(int column) const {
    return tuning_->head.parameters[static_cast<std::size_t>(column - fixed_columns)].name;
}

/// The value by which a column is sorted. A failed configuration that lacks it comes last.
double TriedModel::keyOf(std::size_t tried, int column) const {
    const Tried& each = tuning_->tried[tried];
    constexpr double last = std::numeric_limits<double>::infinity();
    switch (column) {
        case Number: return static_cast<double>(tried);
        case State: return static_cast<double>(each.status);
        case Objective: return each.is_ok() ? each.objective : last;
        case Speedup: return each.is_ok() ? -1 / each.ratio : last;
        case Build: return each.build_seconds;
        case Memory: return each.is_ok() ? each.memory_bytes : last;
        default: break;
    }
    const auto value = each.configuration.find(tunableOf(column));
    return value == each.configuration.end() ? last : static_cast<double>(value->second);
}

void TriedModel::arrange() {
    std::vector<std::pair<double, std::size_t>> keys;
    keys.reserve(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) keys.emplace_back(keyOf(i, sorted_by_), i);
    const double sign = direction_ == Qt::AscendingOrder ? 1 : -1;
    std::ranges::sort(keys, {}, [&](const auto& each) { return std::pair(sign * each.first, each.second); });
    std::ranges::stable_partition(keys, [](const auto& each) { return std::isfinite(each.first); });
    for (std::size_t i = 0; i < keys.size(); ++i) order_[i] = keys[i].second;
}

void TriedModel::sort(int column, Qt::SortOrder order) {
    sorted_by_ = std::clamp(column, 0, columnCount() - 1);
    direction_ = order;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> meant;
    for (const QModelIndex& each : before) meant.push_back(triedAt(each.row()));
    arrange();
    for (qsizetype i = 0; i < before.size(); ++i)
        changePersistentIndex(before[i], index(rowOf(meant[static_cast<std::size_t>(i)]), before[i].column()));
    emit layoutChanged({}, VerticalSortHint);
}

QString TriedModel::textAt(int row, int column) const {
    const Tried& each = at(row);
    if (column >= fixed_columns) {
        const auto value = each.configuration.find(tunableOf(column));
        return value == each.configuration.end() ? QString() : QString::number(value->second);
    }
    switch (column) {
        case Number: return QString::number(triedAt(row) + 1);
        case State: return word(each.status);
        case Build: return secondsText(each.build_seconds);
        default: break;
    }
    if (!each.is_ok()) return {};
    if (column == Objective) return objectiveText(tuning_->head, each.objective);
    if (column == Speedup) return ratioText(each.ratio > 0 ? 1 / each.ratio : 0);
    return bytesText(each.memory_bytes);
}

QVariant TriedModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    switch (role) {
        case Qt::DisplayRole: return textAt(index.row(), index.column());
        case Qt::ToolTipRole: return tipOfTried(*tuning_, triedAt(index.row()));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((index.column() == State ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            if (index.column() == State) return colourOf(at(index.row()).status, palette_);
            return at(index.row()).left ? QVariant(coloursOf(palette_).muted) : QVariant();
        default: return {};
    }
}

QVariant TriedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == State ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (section >= fixed_columns) return toQt(tunableOf(section));
    switch (section) {
        case Number: return tr("No.");
        case State: return tr("Status");
        case Objective: return tuning_ && tuning_->head.objective != "time" ? tr("Objective") : tr("Time");
        case Speedup: return titleOf(metrics::speedup);
        case Build: return tr("Build");
        default: return tr("Memory");
    }
}

}  // namespace kernelgen::studio
