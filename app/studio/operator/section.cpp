// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/section.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

Section::Section(const QString& title, QWidget* content, QWidget* corner, QWidget* parent)
    : QWidget(parent), caption_(new QToolButton), content_(content), corner_(corner) {
    QFont bold = caption_->font();
    bold.setBold(true);
    caption_->setFont(bold);
    caption_->setText(title);
    caption_->setAccessibleName(title);
    caption_->setCheckable(true);
    caption_->setAutoRaise(true);
    caption_->setStyleSheet("QToolButton { border: none; padding: 2px 0; }");
    caption_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* top = new QHBoxLayout;
    top->setContentsMargins({});
    top->addWidget(caption_);
    top->addStretch();
    if (corner_ != nullptr) top->addWidget(corner_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addWidget(content_);
    connect(caption_, &QToolButton::toggled, this, &Section::show);
    show(false);
}

bool Section::isOpen() const { return caption_->isChecked(); }

void Section::setOpen(bool open) { caption_->setChecked(open); }

void Section::show(bool open) {
    caption_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    content_->setVisible(open);
    if (corner_ != nullptr) corner_->setVisible(open);
}

void Section::setWrong(bool wrong) {
    if (wrong == wrong_) return;
    wrong_ = wrong;
    applyPalette();
}

void Section::applyPalette() {
    QPalette shown = palette();
    if (wrong_) shown.setColor(QPalette::ButtonText, coloursOf(shown).bad);
    caption_->setPalette(shown);
}

void Section::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
