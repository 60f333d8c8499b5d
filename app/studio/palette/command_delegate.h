// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "app/studio/palette/command_model.h"

namespace kernelgen::studio {

/// Draws a command: its place and name with the letters that match in bold, and on the right its key or, where it is
/// not possible now, the reason.
class CommandDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    CommandDelegate(const CommandModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const CommandModel& model_;
};

}  // namespace kernelgen::studio
