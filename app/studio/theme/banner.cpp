// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/theme/banner.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int bar_width = 4;

}  // namespace

Banner::Banner(Qt::Orientation orientation, QWidget* parent)
    : QWidget(parent), text_(new QLabel), buttons_(new QHBoxLayout) {
    const bool beside = orientation == Qt::Horizontal;
    auto* layout = new QBoxLayout(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom, this);
    layout->setContentsMargins(bar_width + 8, 4, 8, 4);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    layout->addWidget(text_, 1);
    layout->addLayout(buttons_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

QString Banner::text() const { return accessibleName(); }

void Banner::ask(const QString& text, const std::vector<Answer>& answers) {
    while (QLayoutItem* item = buttons_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();  // one of them may be what asks again
        delete item;
    }
    text_->setText(breakable(text));
    for (const Answer& answer : answers) {
        auto* button = new QPushButton(answer.text);
        connect(button, &QPushButton::clicked, this, answer.act);
        buttons_->addWidget(button);
    }
    buttons_->addStretch();
    setAccessibleName(text);
    show();
}

void Banner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor colour = coloursOf(palette()).warning;
    painter.fillRect(0, 0, bar_width, height(), colour);
    colour.setAlphaF(0.12F);
    painter.fillRect(rect(), colour);
}

}  // namespace kernelgen::studio
