// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/round/record.h"

namespace kernelgen::studio {

/// Why a timed case says less than its speedup seems to, in the language of the interface; "" where it is sure. See
/// core/round/noise.h.
QString noiseInWords(const RoundCase& timed);

/// The same for a timing of a baseline against itself, whose interval holds 1 in any case.
QString spreadInWords(const RoundCase& timed);

/// A figure that says less than it seems to: "≈ 83 %".
QString unsureText(const QString& figure);

}  // namespace kernelgen::studio
