// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/theme/link_colours.h"

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QColor mixOf(const QColor& over, const QColor& under, double share) {
    const auto part = [share](int a, int b) { return static_cast<int>(a * share + b * (1 - share)); };
    return {part(over.red(), under.red()), part(over.green(), under.green()), part(over.blue(), under.blue())};
}

}  // namespace

QColor linkColour(int number, bool marked, const QPalette& palette) {
    const Colours colours = coloursOf(palette);
    const QColor& own = colours.series[static_cast<std::size_t>(number) % colours.series.size()];
    return mixOf(own, palette.color(QPalette::Base), marked ? 0.34 : 0.10);
}

QColor matchColour(const QPalette& palette) {
    return mixOf(coloursOf(palette).warning, palette.color(QPalette::Base), 0.4);
}

}  // namespace kernelgen::studio
