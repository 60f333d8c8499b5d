// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace kernelgen::studio {

/// The drawing icons/NAME.svg in the palette's text colour, paler where disabled; sharp at every size.
QIcon icon(const QString& name, const QPalette& palette);

/// A disc of that colour, for a mark beside a word.
QIcon dot(const QColor& colour);

}  // namespace kernelgen::studio
