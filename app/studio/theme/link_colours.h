// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace kernelgen::studio {

/// The background of a source line and of its code, by the line's number among those with code. Text is readable on
/// it. `marked` stands out from the others.
QColor linkColour(int number, bool marked, const QPalette& palette);

/// The background of text that was looked for.
QColor matchColour(const QPalette& palette);

}  // namespace kernelgen::studio
