// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/model/bar_delegate.h"

#include <QPainter>

#include "app/studio/model/model_lines.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const double filled = index.data(ModelLines::bar_role).toDouble();
    if (filled <= 0) return;
    constexpr int height = 3;
    QRectF bar = QRectF(option.rect).adjusted(4, option.rect.height() - height - 1, -4, -1);
    const bool is_chosen = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(coloursOf(option.palette).grid);
    if (!is_chosen) painter->drawRoundedRect(bar, 1.5, 1.5);
    bar.setWidth(std::max(2.0, bar.width() * filled));
    painter->setBrush(is_chosen ? option.palette.color(QPalette::HighlightedText) : coloursOf(option.palette).accent);
    painter->drawRoundedRect(bar, 1.5, 1.5);
    painter->restore();
}

}  // namespace kernelgen::studio
