// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/project/configuration.h"

namespace kernelgen {

/// "BLOCK_M=8 BLOCK_N=256", by name; "" where there is no tunable.
std::string configuration_text(const Configuration& configuration);

}  // namespace kernelgen
