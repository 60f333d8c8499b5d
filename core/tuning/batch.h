// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/project/configuration.h"

namespace kernelgen {

/// What a worker tries next.
struct Batch {
    std::vector<Configuration> configurations;
    bool is_alone = false;  ///< a worker died with it: nothing is to be begun beside it
};

}  // namespace kernelgen
