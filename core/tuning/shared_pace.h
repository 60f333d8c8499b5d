// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/project/configuration.h"

namespace kernelgen {

/// The configuration to which all workers relate their times, and the seconds of one call of it on the worker that
/// tried it first.
struct SharedPace {
    Configuration configuration;
    double seconds = 0;
    std::string worker = {};  ///< that tried it first; "" where there is one only
};

}  // namespace kernelgen
