// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen {

/// The Pareto front of time and memory: places in `tried` of those that no other one beats in one without losing in the
/// other; the fastest first. Of equals the first is taken. What failed takes no part. One place: a single configuration
/// is best in both.
std::vector<std::size_t> pareto_front(const std::vector<Tried>& tried);

}  // namespace kernelgen
