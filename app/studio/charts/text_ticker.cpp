// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/text_ticker.h"

#include <algorithm>
#include <cmath>

#include "app/studio/charts/chart_style.h"

namespace kernelgen::studio {

namespace {

constexpr double gap_between_texts = 6;  ///< pixels

}  // namespace

QSharedPointer<TextTicker> TextTicker::place(QCPAxis* axis, WithoutRoom without_room) {
    const auto ticker = QSharedPointer<TextTicker>::create(*axis, without_room);
    axis->setScaleType(QCPAxis::stLinear);
    axis->setTicker(ticker);
    return ticker;
}

void TextTicker::generate(const QCPRange& range, const QLocale& locale, QChar format, int precision,
                          QVector<double>& ticks, QVector<double>* sub_ticks, QVector<QString>* labels) {
    QCPAxisTickerText::generate(range, locale, format, precision, ticks, sub_ticks, labels);
    if (labels == nullptr) return;
    const QFontMetricsF metrics(axis_.tickLabelFont());
    const double room = lengthOf(axis_) / range.size();  // from one text to the next
    if (without_room_ == WithoutRoom::cut) {
        for (QString& each : *labels) each = metrics.elidedText(each, Qt::ElideMiddle, room - gap_between_texts);
        return;
    }
    double needed = metrics.height();
    if (axis_.orientation() == Qt::Horizontal) {
        for (const QString& each : *labels) needed = std::max(needed, metrics.horizontalAdvance(each));
        needed += gap_between_texts;
    }
    const int step = std::max(1, static_cast<int>(std::ceil(needed / room)));
    for (qsizetype i = 0; i < labels->size(); ++i) {
        if (std::lround(ticks[i]) % step != 0) (*labels)[i].clear();
    }
}

}  // namespace kernelgen::studio
