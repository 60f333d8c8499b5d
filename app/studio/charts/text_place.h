// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace kernelgen::studio {

/// Finds a place for a text along a line, on its left or right side (seen from the first point to the second). Returns
/// the smallest distance from the first point at which the text can begin without touching a mark; nothing where there
/// is no room. All values are in pixels.
std::optional<double> placeAlong(const QLineF& line, const QSizeF& text, bool on_left,
                                 const std::vector<QPointF>& marks);

}  // namespace kernelgen::studio
