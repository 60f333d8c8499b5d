// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The tunables of a C++ or CUDA variant whose names stand in headers of kernelgen that its sources include: their
/// macros would change those headers.
Diagnostics tunables_in_headers(const Implementation& implementation);

}  // namespace kernelgen
