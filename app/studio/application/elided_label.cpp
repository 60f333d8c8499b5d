// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/elided_label.h"

#include <QStyle>
#include <QStylePainter>

namespace kernelgen::studio {

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
    QStylePainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    painter.drawItemText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, palette(), isEnabled(), shown,
                         foregroundRole());
}

}  // namespace kernelgen::studio
