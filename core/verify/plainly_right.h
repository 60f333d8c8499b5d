// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>

#include "core/verify/judge.h"

namespace kernelgen {

/// Whether every element of the outputs is within its tolerance of a reference that is known (with the scales that
/// `judge` found), in a fraction of the time that `judge` takes. Where this is so, `judge` finds nothing either. False
/// says nothing: `judge` allows for more, such as what the arithmetic of the case's dtype costs.
bool is_plainly_right(const Criteria& criteria, std::span<const std::byte* const> outputs, std::stop_token stop);

}  // namespace kernelgen
