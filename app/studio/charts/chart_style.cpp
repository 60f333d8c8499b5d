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

/// Names of a plot's properties: the sizes of the plot and of its axes when lengths were last kept.
constexpr char size_of_plot[] = "size_of_plot", size_of_axes[] = "size_of_axes";
constexpr double share_of_axes = 0.8;  ///< of a plot, before it was laid out

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

bool hasLengths(const QCustomPlot& plot) { return plot.property(size_of_plot).toSize() == plot.viewport().size(); }

void keepLengths(QCustomPlot& plot) {
    plot.setProperty(size_of_plot, plot.viewport().size());
    plot.setProperty(size_of_axes, plot.axisRect()->size());
}

void forgetLengths(QCustomPlot& plot) { plot.setProperty(size_of_plot, {}); }

double lengthOf(const QCPAxis& axis) {
    const QCustomPlot& plot = *axis.parentPlot();
    const QSizeF axes = hasLengths(plot) ? QSizeF(plot.property(size_of_axes).toSize())
                                         : QSizeF(plot.viewport().size()) * share_of_axes;
    return axis.orientation() == Qt::Horizontal ? axes.width() : axes.height();
}

QCPRange roomAround(double low, double high, double share) {
    const double room = std::pow(std::max(high / low, 1.05), share);
    return {low / room, high * room};
}

}  // namespace kernelgen::studio
