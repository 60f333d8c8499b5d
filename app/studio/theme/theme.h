// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <array>

#include "app/studio/application/settings.h"
#include "core/base/status.h"

namespace kernelgen::studio {

/// Gives the application the studio's style and the palette of a theme; `system` follows the desktop.
void applyTheme(Theme theme);

/// The palette of the light theme, for what is not on a screen.
QPalette lightPalette();

bool isDark(const QPalette& palette);

/// Colours that a palette has no role for; each has a contrast of at least 3:1 with the palette's base, those for text
/// of at least 4.5:1.
struct Colours {
    QColor muted;               ///< secondary text
    QColor grid;                ///< lines behind data; fainter than any data
    QColor accent;              ///< what is chosen
    QColor good, warning, bad;  ///< text and marks of a verdict
    std::array<QColor, 8> series;
};
Colours coloursOf(const QPalette& palette);

/// The colour of a status in tables and charts.
QColor colourOf(Status status, const QPalette& palette);

}  // namespace kernelgen::studio
