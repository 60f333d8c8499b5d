// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/tunable_slider.h"

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QWheelEvent>

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int most_ticks = 64;  // more would be a bar

}  // namespace

TunableSlider::TunableSlider(int values, QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setRange(0, values - 1);
    setPageStep(std::max(1, values / 4));
    setTickPosition(TicksBelow);
    setTickInterval(1);
    setEnabled(values > 1);
    setFocusPolicy(Qt::StrongFocus);
}

void TunableSlider::setBest(std::optional<int> index) {
    best_ = index;
    update();
}

int TunableSlider::xOf(int index) const {
    QStyleOptionSlider option;
    initStyleOption(&option);
    option.sliderPosition = index;
    return style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this).center().x();
}

/// The style's own ticks cannot be seen in the dark.
void TunableSlider::paintEvent(QPaintEvent* event) {
    QSlider::paintEvent(event);
    QPainter painter(this);
    const Colours colours = coloursOf(palette());
    const int bottom = height() - 1;
    painter.setPen(colours.muted);
    for (int index = 0; index <= maximum() && maximum() <= most_ticks; ++index) {
        painter.drawLine(xOf(index), bottom - 4, xOf(index), bottom - 1);
    }
    if (!best_) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.good);
    const double x = xOf(*best_) + 0.5, size = 4.5;
    painter.drawPolygon(QPolygonF{{x, bottom - 1.6 * size}, {x - size, bottom + 0.5}, {x + size, bottom + 0.5}});
}

/// A click beside the handle goes to the value there instead of a page further.
void TunableSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QSlider::mousePressEvent(event);
    const int first = xOf(minimum()), last = xOf(maximum());
    if (last > first) {
        const double share = (event->position().x() - first) / (last - first);
        setValue(qRound(minimum() + share * (maximum() - minimum())));
    }
    QSlider::mousePressEvent(event);
}

/// The wheel scrolls the panel; it changes only what has been chosen before.
void TunableSlider::wheelEvent(QWheelEvent* event) {
    if (hasFocus()) QSlider::wheelEvent(event);
    else event->ignore();
}

}  // namespace kernelgen::studio
