// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace kernelgen::studio {

/// Where on a line a text can begin that lies along it, on its left or on its right as one goes from its first point to
/// its second: the nearest place to the first point that touches no mark, as the distance from there; nothing where
/// there is no room. All in pixels.
std::optional<double> placeAlong(const QLineF& line, const QSizeF& text, bool on_left,
                                 const std::vector<QPointF>& marks);

}  // namespace kernelgen::studio
