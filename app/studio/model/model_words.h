// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

#include "app/studio/model/model_lines.h"

namespace kernelgen::studio {

/// A column's title, and what it is, in a sentence.
struct ColumnWords {
    QString title, meaning;
};
ColumnWords wordsOf(ModelLines::Column column);

// Numbers as `kernelgen model` prints them, in the language of the interface.
QString secondsOf(double seconds);
QString flopsOf(const ModelCounts& counts);  ///< "not counted" where no formula is known
QString reachedOf(const ModelShare& share);  ///< "62 % of memory"; "-" without ceilings
QString operatorOf(const ModelRow& row);     ///< "convolution" of "aten.convolution"

/// The whole, its calls and what lies between them, a line each.
QString wholeText(const ModelProfile& profile);
QString callsText(const ModelProfile& profile);
QString betweenText(const ModelProfile& profile);
/// "with block (`fused`, round 3, 1.412×) at 2 places: 3.1 ms becomes 2.2 ms", a line for each project, and the whole.
QString gainWithProjects(const ModelReport& report);

/// All that is known of calls of one operator, or of neighbours, as a page.
QString pageOf(const ModelReport& report, const ModelRow& row, const QPalette& palette);
QString pageOf(const ModelReport& report, const ModelGroup& group, const QPalette& palette);

}  // namespace kernelgen::studio
