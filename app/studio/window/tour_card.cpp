// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/tour_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <array>

#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int card_width = 400, from_edge = 34;

int areaOf(const QRect& rect) { return rect.isEmpty() ? 0 : rect.width() * rect.height(); }

}  // namespace

TourCard::TourCard(QWidget& window)
    : QFrame(&window),
      number_(new QLabel),
      title_(new QLabel),
      text_(new QLabel),
      state_(new QLabel),
      leave_(new QPushButton(tr("Leave the tour"))),
      act_(new QPushButton(tr("Do it for me"))),
      next_(new QPushButton(tr("Next"))) {
    setObjectName("tour_card");
    setAccessibleName(tr("Tour"));
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
    leave_->setObjectName("tour_leave");
    leave_->setToolTip(tr("Esc; Help > Tour takes it again"));
    act_->setObjectName("tour_act");
    next_->setObjectName("tour_next");
    state_->setObjectName("tour_state");
    QFont large = title_->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.2);
    title_->setFont(large);
    auto* head = new QHBoxLayout;
    head->addWidget(title_, 1);
    head->addWidget(number_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(leave_);
    buttons->addStretch(1);
    buttons->addWidget(act_);
    buttons->addWidget(next_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    column->addLayout(head);
    for (QLabel* each : {text_, state_}) {
        each->setWordWrap(true);
        column->addWidget(each);
    }
    column->addLayout(buttons);
    for (QPushButton* each : {leave_, act_, next_}) each->setAutoDefault(true);  // Return presses it
    connect(leave_, &QPushButton::clicked, this, &TourCard::left);
    connect(act_, &QPushButton::clicked, this, &TourCard::acted);
    connect(next_, &QPushButton::clicked, this, &TourCard::advanced);
    applyPalette();
    hide();
}

void TourCard::showStep(int number, int of, const QString& title, const QString& text) {
    is_last_ = number == of;
    number_->setText(tr("%1 of %2").arg(number).arg(of));
    title_->setText(title);
    text_->setText(breakable(text));
    setAccessibleName(tr("Tour, step %1 of %2: %3").arg(number).arg(of).arg(title));
    setAccessibleDescription(text);
    next_->setText(is_last_ ? tr("Finish") : tr("Next"));
}

void TourCard::showState(const State& state) {
    state_->setText(breakable(state.text));
    state_->setVisible(!state.text.isEmpty());
    if (is_kept_back_ != state.is_kept_back) {
        is_kept_back_ = state.is_kept_back;
        applyPalette();
    }
    if (state.may_go_on) next_->setEnabled(true);
    if (state.can_act) act_->show();
    keepFocus(state);
    next_->setEnabled(state.may_go_on);
    act_->setVisible(state.can_act);
    const int height = layout()->totalHeightForWidth(card_width);
    if (size() != QSize(card_width, height)) resize(card_width, height);
}

/// A button that goes would hand the focus to whatever comes next in the window.
void TourCard::keepFocus(const State& state) {
    const QWidget* focused = window()->focusWidget();
    if (focused != this && focused != act_ && focused != next_) return;
    QWidget* useful = this;
    if (state.may_go_on) useful = next_;
    else if (state.can_act) useful = act_;
    if (useful != focused) useful->setFocus(Qt::OtherFocusReason);
}

void TourCard::standBeside(const QRect& part) {
    // Neither the toolbar nor the tabs of the panels below are hidden.
    const QRect room = parentWidget()->rect().adjusted(from_edge, 3 * from_edge, -from_edge, -2 * from_edge);
    const int right = room.right() - width(), bottom = room.bottom() - height(),
              middle = room.center().x() - width() / 2;
    const std::array places = {QPoint(middle, bottom),     QPoint(room.left(), bottom),     QPoint(right, bottom),
                               QPoint(middle, room.top()), QPoint(room.left(), room.top()), QPoint(right, room.top())};
    QPoint best = places.front();
    for (const QPoint& place : places) {
        const auto hidden = [&](const QPoint& at) { return areaOf(QRect(at, size()).intersected(part)); };
        if (hidden(place) < hidden(best)) best = place;
    }
    if (pos() != best) move(best);
}

/// Around it a line in the spotlight's colour: in the dark the card is as the panels that it stands over.
void TourCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(coloursOf(palette()).accent);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void TourCard::applyPalette() {
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    number_->setPalette(muted);
    QPalette good = palette();
    good.setColor(QPalette::WindowText, is_kept_back_ ? coloursOf(palette()).warning : coloursOf(palette()).good);
    state_->setPalette(good);
}

void TourCard::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && state_ != nullptr) applyPalette();
}

Spotlight::Spotlight(QWidget& window) : QWidget(&window) {
    setObjectName("tour_spotlight");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void Spotlight::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(coloursOf(palette()).accent, 3));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 5, 5);
}

}  // namespace kernelgen::studio
