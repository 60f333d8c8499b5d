// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen {

/// The Pareto front of time, memory and, where it was measured, energy: places in `tried` of those that no other one
/// beats in one without losing in another; the fastest first. Of equals the first is taken. What failed takes no part.
/// An energy that was not measured is taken to be higher than all others. One place: a single configuration is best in
/// all.
std::vector<std::size_t> pareto_front(const std::vector<Tried>& tried);

}  // namespace kernelgen
