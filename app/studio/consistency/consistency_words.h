// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/files/consistency.h"

namespace kernelgen::studio {

/// "All files agree", or how many mismatches there are, what kind of change was made and what it made stale.
QString stateOf(const Consistency& found);
/// Why a file is stale, and what writing it again would do with it.
QString staleText(const StaleFile& file);
/// What to do where there is no Python.
QString howToGetPython();

}  // namespace kernelgen::studio
