// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QString>

#include "app/studio/theme/theme.h"
#include "core/lang/operator.h"

namespace kernelgen::studio {

inline constexpr int most_cases_in_legend = 8;

/// The colour of the case with this number; they repeat after the eighth.
QColor seriesColour(const Colours& colours, int number);
QColor faded(QColor colour, double alpha);

/// Filled marks of the groups of comparable rounds, by the group's number; they repeat after the sixth.
inline constexpr int group_shapes = 6;
QCPScatterStyle groupMark(int group, const QColor& colour, double size);

/// The same hollow: of a result that noise makes unsure.
QCPScatterStyle unsureMark(int group, const QColor& colour, const QColor& background, double size);
/// What a caption says of such marks.
QString unsureNote();

/// A case's name, with its dtype where the name does not say it.
QString caseText(const Case& binding);

/// Ticks are chosen by the lengths of the axes, and the room that ticks' labels take changes these lengths. So that a
/// chart looks the same whatever sizes it had before, the lengths are kept from the first layout in the present size.
bool hasLengths(const QCustomPlot& plot);
void keepLengths(QCustomPlot& plot);
void forgetLengths(QCustomPlot& plot);

/// The kept length of an axis in pixels; without one, about what the axis will have in a plot of this size.
double lengthOf(const QCPAxis& axis);

/// [low, high] with a share of it more on each side, by ratio; a single value gets room as well.
QCPRange roomAround(double low, double high, double share);

}  // namespace kernelgen::studio
