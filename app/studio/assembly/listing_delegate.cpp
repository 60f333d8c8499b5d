// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/assembly/listing_delegate.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/theme/link_colours.h"
#include "app/studio/theme/theme.h"
#include "core/listing/instruction_group.h"

namespace kernelgen::studio {

namespace {

constexpr int code_margin = 6;

QColor inkOf(const ListingLine& line, const QPalette& palette) {
    const Colours colours = coloursOf(palette);
    switch (line.group) {
        case InstructionGroup::floats:
        case InstructionGroup::matrix: return colours.good;
        case InstructionGroup::load:
        case InstructionGroup::store: return colours.accent;
        case InstructionGroup::spill: return colours.bad;
        case InstructionGroup::control:
        case InstructionGroup::sync: return colours.warning;
        default: return palette.color(QPalette::Text);
    }
}

QTextLayout::FormatRange range(qsizetype start, qsizetype length, const QColor& ink, bool bold = false) {
    QTextLayout::FormatRange part{static_cast<int>(start), static_cast<int>(length), {}};
    part.format.setForeground(ink);
    if (bold) part.format.setFontWeight(QFont::Bold);
    return part;
}

QList<QTextLayout::FormatRange> formatsOfCode(const ListingLine& line, CodeKind kind, const QString& text,
                                              const QPalette& palette) {
    const QColor muted = coloursOf(palette).muted, plain = palette.color(QPalette::Text);
    if (line.kind == ListingLineKind::function) return {range(0, text.size(), plain, true)};
    if (line.kind != ListingLineKind::instruction) return {range(0, text.size(), muted)};
    const QString name = toQt(mnemonic_of(line.text, kind));
    const qsizetype at = text.indexOf(name);
    return {range(0, std::max<qsizetype>(at, 0), muted), range(at, name.size(), inkOf(line, palette), true)};
}

}  // namespace

/// The first line that stands out, of those that a row stands for.
std::optional<std::size_t> ListingDelegate::markedIn(int row) const {
    const auto [first, end] = model_.linesOf(row);
    const auto found = std::ranges::lower_bound(marked_, first);
    return found != marked_.end() && *found < end ? std::optional(*found) : std::nullopt;
}

void ListingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const std::optional<std::size_t> marked = markedIn(index.row());
    const int colour = marked ? model_.code()->colours[*marked] : model_.colour(index.row());
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    if (colour >= 0) painter->fillRect(option.rect, linkColour(colour, marked.has_value(), option.palette));
    if (const char mark = model_.mark(index.row()); mark != ' ') {
        const Colours colours = coloursOf(option.palette);
        QColor over = mark == '+' ? colours.good : colours.bad;
        over.setAlphaF(0.22f);
        painter->fillRect(option.rect, over);
    }
    if (selected) {
        QColor over = option.palette.color(QPalette::Highlight);
        over.setAlphaF(0.28f);
        painter->fillRect(option.rect, over);
    }
    painter->save();
    painter->setClipRect(option.rect);
    painter->setFont(option.font);
    if (index.column() == ListingModel::Code) paintCode(*painter, option, index.row());
    else paintPlace(*painter, option, index);
    painter->restore();
}

void ListingDelegate::paintPlace(QPainter& painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const {
    constexpr int most_lines = 3, between = 3;
    const QColor muted = coloursOf(option.palette).muted;
    const std::size_t line = model_.lineOf(index.row());
    painter.setPen(muted);
    painter.drawText(option.rect.adjusted(0, 0, -code_margin, 0), Qt::AlignRight | Qt::AlignVCenter,
                     index.data().toString());
    painter.setPen(QPen(coloursOf(option.palette).warning, 1.5));
    for (int loop = 0; loop < std::min(most_lines, model_.folding().loopsAround(line)); ++loop) {
        const int x = option.rect.left() + fold_width + loop * between;
        painter.drawLine(x, option.rect.top(), x, option.rect.bottom());
    }
    if (!model_.folding().beginsRegion(line)) return;
    const QString arrow = model_.folded(index.row()).isEmpty() ? QStringLiteral("▾") : QStringLiteral("▸");
    painter.setPen(muted);
    painter.drawText(QRect(option.rect.left(), option.rect.top(), fold_width, option.rect.height()), Qt::AlignCenter,
                     arrow);
}

void ListingDelegate::paintCode(QPainter& painter, const QStyleOptionViewItem& option, int row) const {
    constexpr qsizetype longest = 400;  // more has no room
    const ListingLine& line = model_.line(row);
    QString text = toQt(line.text).left(longest), folded = model_.folded(row);
    if (!folded.isEmpty()) {  // a long line is cut off rather than what it hides
        folded.prepend(QStringLiteral("  ⋯ "));
        const QFontMetrics metrics(option.font);
        const int room = option.rect.width() - 2 * code_margin - metrics.horizontalAdvance(folded);
        text = metrics.elidedText(text, Qt::ElideRight, room);
    }
    QTextLayout layout(text + folded, option.font);
    QList<QTextLayout::FormatRange> formats = formatsOfCode(line, model_.code()->listing.kind, text, option.palette);
    if (!folded.isEmpty()) formats << range(text.size(), folded.size(), coloursOf(option.palette).accent);
    if (!wanted_.isEmpty()) {
        for (qsizetype at = text.indexOf(wanted_, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(wanted_, at + wanted_.size(), Qt::CaseInsensitive)) {
            QTextLayout::FormatRange found{static_cast<int>(at), static_cast<int>(wanted_.size()), {}};
            found.format.setBackground(matchColour(option.palette));
            formats << found;
        }
    }
    layout.setFormats(formats);
    QTextOption one_line;
    one_line.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(one_line);
    layout.beginLayout();
    const QTextLine drawn = layout.createLine();
    layout.endLayout();
    painter.setPen(option.palette.color(QPalette::Text));
    layout.draw(&painter, QPointF(option.rect.left() + code_margin,
                                  option.rect.top() + (option.rect.height() - drawn.height()) / 2));
}

}  // namespace kernelgen::studio
