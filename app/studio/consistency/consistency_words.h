// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/files/consistency.h"

namespace kernelgen::studio {

/// "All files agree", or how many mismatches there are, what kind of change was made and what it made stale.
QString stateOf(const Consistency& found);
/// What a stale file lags behind, and what bringing in step would do with it.
QString staleText(const StaleFile& file);
/// What a user without Python does.
QString howToGetPython();

}  // namespace kernelgen::studio
