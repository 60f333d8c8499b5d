// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "app/studio/palette/commands_of_window.h"
#include "app/studio/palette/fuzzy_match.h"

namespace kernelgen::studio {

/// The commands that match what was typed, the best first; all in their order where nothing was typed.
class CommandModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setCommands(std::vector<WindowCommand> commands);
    void setTyped(const QString& typed);

    const WindowCommand& command(int row) const { return commands_[found_[static_cast<std::size_t>(row)].command]; }
    /// The places in `titleOf` of the letters that match.
    const QList<int>& matchingLetters(int row) const { return found_[static_cast<std::size_t>(row)].match.places; }
    static QString titleOf(const WindowCommand& command);  ///< "View › Theme › Dark"

    int rowCount(const QModelIndex& parent = {}) const override;
    /// The title, and for screen readers the keys and the reason with it.
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Found {
        std::size_t command;
        FuzzyMatch match;
    };
    std::vector<WindowCommand> commands_;
    std::vector<Found> found_;
};

}  // namespace kernelgen::studio
