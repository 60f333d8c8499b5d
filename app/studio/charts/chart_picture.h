// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>

#include "core/base/result.h"

namespace kernelgen::studio {

class ChartView;

QByteArray svgOf(ChartView& chart, const QSize& size);
QImage imageOf(ChartView& chart);  ///< at twice the size that is shown

/// Writes a PNG, SVG or PDF, as the file's suffix says. Errors: another suffix, a folder that cannot be written.
Result<void> savePicture(ChartView& chart, const QString& file);

/// Copies the chart to the clipboard, as an image.
void copyPicture(ChartView& chart);
/// Asks for a file and writes it; the problem, or "".
QString askAndSavePicture(ChartView& chart);

}  // namespace kernelgen::studio
