// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The lines of a C++ or CUDA variant's sources that define a tunable's macro anew wherever they are compiled, so that
/// the tunable would have no effect. Definitions within `#if`, such as `#ifndef BLOCK`, are not among them. Empty for
/// other languages.
Diagnostics overridden_tunables(const Implementation& implementation);

/// The tunables of a C++ or CUDA variant whose names stand in headers of kernelgen that its sources include: their
/// macros would change those headers.
Diagnostics tunables_in_headers(const Implementation& implementation);

}  // namespace kernelgen
