// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuning/tune.h"

namespace kernelgen {

/// Reports options that a person gave and that differ from those that the tuning of this head was begun with.
void check_own_options(const TuneOptions& options, const TuningHead& head, const Project& project,
                       Diagnostics& diagnostics);

}  // namespace kernelgen
