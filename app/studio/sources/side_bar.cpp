// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/side_bar.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>
#include <QWheelEvent>

#include "app/studio/sources/source_editor.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

SideBar::SideBar(SourceEditor& editor) : QWidget(&editor), editor_(editor) { setAccessibleName(tr("Line numbers")); }

int SideBar::markWidth() const { return editor_.fontMetrics().height() * 2 / 3 + 1; }

QSize SideBar::sizeHint() const {
    const auto digits = std::max<qsizetype>(3, QString::number(editor_.blockCount()).size());
    const int digit = editor_.fontMetrics().horizontalAdvance('9');
    return {markWidth() + static_cast<int>(digits) * digit + digit, 0};
}

void SideBar::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(editor_.font());
    const QColor other = coloursOf(palette()).muted;
    const QColor current = editor_.palette().color(QPalette::Text);
    painter.fillRect(event->rect(), editor_.palette().color(QPalette::AlternateBase));
    const int line_height = editor_.fontMetrics().height();
    const int digit = editor_.fontMetrics().horizontalAdvance('9');
    editor_.forVisibleBlocks([&](const QTextBlock& block, int top) {
        const int number = block.blockNumber();
        painter.setPen(number == editor_.textCursor().blockNumber() ? current : other);
        painter.drawText(0, top, width() - digit / 2, line_height, Qt::AlignRight, QString::number(number + 1));
        const SourceMessage* message = editor_.messageAt(number);
        if (message == nullptr) return;
        const int size = markWidth() - 2;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourOfMessage(*message, palette()));
        painter.drawEllipse(3, top + (line_height - size) / 2, size, size);
    });
}

bool SideBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = editor_.messagesAt(editor_.blockAt(help->pos().y()).blockNumber());
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void SideBar::mousePressEvent(QMouseEvent* event) {
    editor_.goTo(editor_.blockAt(static_cast<int>(event->position().y())).blockNumber() + 1, 1);
}

void SideBar::wheelEvent(QWheelEvent* event) { QCoreApplication::sendEvent(editor_.viewport(), event); }

}  // namespace kernelgen::studio
