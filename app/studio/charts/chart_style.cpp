// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/chart_style.h"

#include <QCoreApplication>
#include <cmath>

#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

struct ChartStyle {
    Q_DECLARE_TR_FUNCTIONS(ChartStyle)
};

}  // namespace

QColor seriesColour(const Colours& colours, int number) {
    return colours.series[static_cast<std::size_t>(number) % colours.series.size()];
}

QColor faded(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

QCPScatterStyle groupMark(int group, const QColor& colour, double size) {
    static constexpr QCPScatterStyle::ScatterShape shapes[group_shapes] = {
        QCPScatterStyle::ssDisc,   QCPScatterStyle::ssSquare,   QCPScatterStyle::ssDiamond,
        QCPScatterStyle::ssCircle, QCPScatterStyle::ssTriangle, QCPScatterStyle::ssTriangleInverted};
    return {shapes[group % group_shapes], QPen(colour, 1.5), QBrush(colour), size};
}

QCPScatterStyle unsureMark(int group, const QColor& colour, const QColor& background, double size) {
    QCPScatterStyle style = groupMark(group, colour, size);
    if (style.shape() == QCPScatterStyle::ssDisc) style.setShape(QCPScatterStyle::ssCircle);
    style.setBrush(background);
    return style;
}

QString unsureNote() { return ChartStyle::tr("Hollow: noisy"); }

QString caseText(const Case& binding) {
    const QString name = toQt(binding.name), dtype = toQt(to_string(binding.dtype));
    return name.contains(dtype) ? name : name + QChar(' ') + dtype;
}

double lengthOf(const QCPAxis& axis) {
    const bool across = axis.orientation() == Qt::Horizontal;
    const QRect area = axis.axisRect()->rect(), plot = axis.parentPlot()->viewport();
    const int known = across ? area.width() : area.height();
    return known > 0 ? known : 0.8 * (across ? plot.width() : plot.height());
}

QCPRange roomAround(double low, double high, double share) {
    const double room = std::pow(std::max(high / low, 1.05), share);
    return {low / room, high * room};
}

}  // namespace kernelgen::studio
