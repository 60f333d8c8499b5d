// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/environment.h"

namespace kernelgen {

/// This machine's processor, memory and system; compiler and libraries are the caller's to fill in.
Environment host_environment();

}  // namespace kernelgen
