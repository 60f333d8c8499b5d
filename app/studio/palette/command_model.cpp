// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/palette/command_model.h"

#include <algorithm>

namespace kernelgen::studio {

namespace {

constexpr int of_sentence = 20;  ///< by how much a match in what an action does is worse than one in its name

std::optional<FuzzyMatch> matchCommand(const QString& typed, const WindowCommand& command) {
    if (auto match = fuzzyMatch(typed, CommandModel::titleOf(command))) return match;
    const bool in_keys = !command.keys.isEmpty() && command.keys.compare(typed.trimmed(), Qt::CaseInsensitive) == 0;
    if (in_keys) return FuzzyMatch{1000};
    const bool in_sentence = typed.size() > 2 && command.what.contains(typed.trimmed(), Qt::CaseInsensitive);
    return in_sentence ? std::optional(FuzzyMatch{-of_sentence}) : std::nullopt;
}

}  // namespace

QString CommandModel::titleOf(const WindowCommand& command) {
    return command.place.isEmpty() ? command.name : command.place + " › " + command.name;
}

void CommandModel::setCommands(std::vector<WindowCommand> commands) {
    commands_ = std::move(commands);
    setTyped({});
}

void CommandModel::setTyped(const QString& typed) {
    beginResetModel();
    found_.clear();
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        if (auto match = matchCommand(typed, commands_[i])) found_.push_back({i, std::move(*match)});
    }
    const bool any = !typed.trimmed().isEmpty();
    if (any)
        std::ranges::stable_sort(found_, std::ranges::greater(), [](const Found& each) { return each.match.score; });
    endResetModel();
}

int CommandModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(found_.size());
}

QVariant CommandModel::data(const QModelIndex& index, int role) const {
    const WindowCommand& each = command(index.row());
    if (role == Qt::DisplayRole) return titleOf(each);
    if (role == Qt::ToolTipRole) return each.obstacle.isEmpty() ? each.what : each.obstacle;
    if (role != Qt::AccessibleTextRole) return {};
    QStringList texts = {titleOf(each), each.keys, each.obstacle};
    texts.removeAll(QString());
    return texts.join(", ");
}

}  // namespace kernelgen::studio
