// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/palette/command_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int padding = 8;

struct Inks {
    QColor name, secondary;
};

Inks inksOf(const QStyleOptionViewItem& option, bool enabled) {
    const QColor muted = coloursOf(option.palette).muted;
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    if (selected)
        return {option.palette.color(QPalette::HighlightedText), option.palette.color(QPalette::HighlightedText)};
    return {enabled ? option.palette.color(QPalette::Text) : muted, muted};
}

/// The place in the secondary colour, and the letters that match in bold.
QList<QTextLayout::FormatRange> formatsOf(int place_length, const QList<int>& bold, const Inks& inks) {
    QList<QTextLayout::FormatRange> formats;
    QTextLayout::FormatRange place{0, place_length, {}};
    place.format.setForeground(inks.secondary);
    formats << place;
    for (const int each : bold) {
        QTextLayout::FormatRange letter{each, 1, {}};
        letter.format.setFontWeight(QFont::Bold);
        letter.format.setForeground(inks.name);
        formats << letter;
    }
    return formats;
}

}  // namespace

void CommandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const WindowCommand& command = model_.command(index.row());
    const Inks inks = inksOf(option, command.obstacle.isEmpty());
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    background.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, option.widget);

    const QRect inside = option.rect.adjusted(padding, 0, -padding, 0);
    const QString title = CommandModel::titleOf(command);
    QTextLayout layout(title, option.font);
    layout.setFormats(
        formatsOf(static_cast<int>(title.size() - command.name.size()), model_.matchingLetters(index.row()), inks));
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setNumColumns(static_cast<int>(title.size()));
    layout.endLayout();
    const int used = static_cast<int>(line.naturalTextWidth()) + 2 * padding;
    painter->save();
    painter->setClipRect(inside);
    painter->setPen(inks.name);
    layout.draw(painter, QPointF(inside.left(), inside.top() + (inside.height() - line.height()) / 2));
    painter->setPen(inks.secondary);
    const QRect rest = inside.adjusted(used, 0, 0, 0);
    const QString right = command.obstacle.isEmpty() ? command.keys : command.obstacle;
    painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                      option.fontMetrics.elidedText(right, Qt::ElideRight, rest.width()));
    painter->restore();
}

QSize CommandDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {100, option.fontMetrics.height() + 8};
}

}  // namespace kernelgen::studio
