// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/environment.h"

namespace kernelgen {

/// This machine's processor, memory and system; the caller fills in compiler and libraries.
Environment host_environment();

}  // namespace kernelgen
