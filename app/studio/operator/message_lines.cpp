// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/message_lines.h"

#include <QApplication>
#include <QPainter>

#include "app/studio/application/text.h"
#include "app/studio/operator/definition_form.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int lines_shown = 2, side_margin = 6;

}  // namespace

MessageLines::MessageLines(DefinitionForm& form, QWidget* parent) : QWidget(parent) {
    setObjectName("message_lines");
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(&form, &DefinitionForm::messagesChanged, this, [this, &form] { follow(form); });
    connect(qApp, &QApplication::focusChanged, this, [this, &form] { follow(form); });
    follow(form);
}

void MessageLines::follow(const DefinitionForm& form) {
    const QStringList messages = form.messages();
    if (messages == messages_) return;
    messages_ = messages;
    setToolTip(messages_.join('\n'));
    setAccessibleName(messages_.join('\n'));
    update();
}

void MessageLines::mouseReleaseEvent(QMouseEvent* /*event*/) { emit clicked(); }

QSize MessageLines::sizeHint() const { return {0, lines_shown * fontMetrics().lineSpacing() + 2}; }

void MessageLines::paintEvent(QPaintEvent* /*event*/) {
    if (messages_.isEmpty()) return;
    const qsizetype more = messages_.size() - 1;
    const QString rest = more > 0 ? tr(" (and %1 more)").arg(more) : QString();
    // Words that do not fit the end of the first line go to the second: so much room is lost.
    const QRect room = rect().adjusted(side_margin, 0, -side_margin, 0);
    const int lost = fontMetrics().averageCharWidth() * 14 + fontMetrics().horizontalAdvance(rest);
    const QString text =
        fontMetrics().elidedText(breakable(messages_.front()), Qt::ElideRight, lines_shown * room.width() - lost);
    QPainter painter(this);
    painter.setPen(coloursOf(palette()).bad);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text + rest);
}

}  // namespace kernelgen::studio
