// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The lines of a variant's sources that define a tunable's macro anew, or undefine it.
struct OverriddenTunables {
    Diagnostics always;   ///< wherever the source is compiled: the tunable has no effect
    Diagnostics perhaps;  ///< where a condition of the preprocessor holds, which is not known here
};

/// Of a C++ or CUDA variant, whose tunables are macros. Lines that no build compiles are not among them, such as those
/// within `#ifndef BLOCK` or `#if !defined(BLOCK)`.
OverriddenTunables overridden_tunables(const Implementation& implementation);

}  // namespace kernelgen
