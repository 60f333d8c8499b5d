// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace kernelgen::studio {

/// Texts at the places 0, 1, 2, … of an axis (or 0, -1, -2, …). Where they have no room beside each other, some of them
/// are left out, or (names from left to right) each is cut short.
class TextTicker : public QCPAxisTickerText {
public:
    enum class WithoutRoom { leave_out, cut };

    TextTicker(const QCPAxis& axis, WithoutRoom without_room) : axis_(axis), without_room_(without_room) {}

    /// Gives an axis a linear scale and such ticks, to which texts can be added.
    static QSharedPointer<TextTicker> place(QCPAxis* axis, WithoutRoom without_room = WithoutRoom::leave_out);

    void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
                  QVector<double>* sub_ticks, QVector<QString>* labels) override;

private:
    const QCPAxis& axis_;
    WithoutRoom without_room_;
};

}  // namespace kernelgen::studio
