// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/elided_label.h"

#include <QHelpEvent>
#include <QStyle>
#include <QStylePainter>
#include <QToolTip>

namespace kernelgen::studio {

bool ElidedLabel::event(QEvent* event) {
    const bool fits = fontMetrics().horizontalAdvance(text()) <= contentsRect().width();
    if (event->type() != QEvent::ToolTip || fits || !toolTip().isEmpty()) return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
    QStylePainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    painter.drawItemText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, palette(), isEnabled(), shown,
                         foregroundRole());
}

}  // namespace kernelgen::studio
