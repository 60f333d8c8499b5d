// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/line_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace kernelgen::studio {

LineBar::LineBar(QWidget* parent) : QWidget(parent), line_(new QSpinBox) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    auto* label = new QLabel(tr("Go to line"));
    label->setBuddy(line_);
    line_->setObjectName("line_number");
    line_->setAccessibleName(label->text());
    line_->findChild<QLineEdit*>()->setAccessibleName(label->text());
    line_->setMinimum(1);
    line_->setKeyboardTracking(false);
    layout->addWidget(label);
    layout->addWidget(line_);
    layout->addStretch();
    hide();
}

void LineBar::openFor(int line, int lines) {
    line_->setMaximum(lines);
    line_->setValue(line);
    line_->setToolTip(tr("1 … %1").arg(lines));
    show();
    line_->setFocus(Qt::ShortcutFocusReason);
    line_->selectAll();
}

void LineBar::close() {
    hide();
    emit closed();
}

void LineBar::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter && event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
    if (enter) emit chosen(line_->value());
    close();
}

}  // namespace kernelgen::studio
