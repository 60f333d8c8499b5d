// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/pruned_model.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

void PrunedModel::setListed(std::shared_ptr<const PrunedCase> listed, std::vector<std::string> names) {
    if (listed == listed_) return;
    beginResetModel();
    listed_ = std::move(listed);
    names_ = std::move(names);
    order_.resize(listed_ ? listed_->listed.size() : 0);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    arrange();
    endResetModel();
}

int PrunedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int PrunedModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(names_.size()) + 1;
}

/// Rows that are alike keep the order of the list, in which a reason follows the other.
void PrunedModel::arrange() {
    const auto& all = listed_ ? listed_->listed : std::vector<PrunedConfiguration>();
    std::ranges::sort(order_);
    const auto sort_by = [&](auto key) {
        if (direction_ == Qt::AscendingOrder) std::ranges::stable_sort(order_, std::less(), key);
        else std::ranges::stable_sort(order_, std::greater(), key);
    };
    if (isReason(sorted_by_)) sort_by([&](std::size_t i) { return all[i].reason.text(); });
    else if (sorted_by_ >= 0 && sorted_by_ < std::ssize(names_))
        sort_by([&](std::size_t i) { return all[i].configuration.at(names_[static_cast<std::size_t>(sorted_by_)]); });
}

void PrunedModel::sort(int column, Qt::SortOrder order) {
    sorted_by_ = column;
    direction_ = order;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> meant;
    for (const QModelIndex& each : before) meant.push_back(order_[static_cast<std::size_t>(each.row())]);
    arrange();
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto place = std::ranges::find(order_, meant[static_cast<std::size_t>(i)]) - order_.begin();
        changePersistentIndex(before[i], index(static_cast<int>(place), before[i].column()));
    }
    emit layoutChanged({}, VerticalSortHint);
}

QVariant PrunedModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const PrunedConfiguration& each = listed_->listed[order_[static_cast<std::size_t>(index.row())]];
    const bool is_reason = isReason(index.column());
    switch (role) {
        case Qt::DisplayRole:
            if (is_reason) return inWords(each.reason).section('\n', 0, 0).remove('`');
            return QString::number(each.configuration.at(names_[static_cast<std::size_t>(index.column())]));
        case Qt::ToolTipRole: return QString(configurationText(each.configuration) + '\n' + inWords(each.reason));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((is_reason ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        default: return {};
    }
}

QVariant PrunedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isReason(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return isReason(section) ? tr("Why it is never tried") : toQt(names_[static_cast<std::size_t>(section)]);
}

}  // namespace kernelgen::studio
