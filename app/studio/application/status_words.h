// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/status.h"

namespace kernelgen::studio {

/// A status for cells and within sentences, in the language of the interface: "build failed".
QString word(Status status);

}  // namespace kernelgen::studio
