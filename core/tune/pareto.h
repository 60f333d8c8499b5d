// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen {

/// What a configuration costs beside its time: `&Tried::memory_bytes` or `&Tried::energy_joules`.
using TriedCost = double Tried::*;

/// Whether a configuration succeeded and its cost is known; an energy of 0 was not measured.
bool has_cost(const Tried& tried, TriedCost cost);

/// The Pareto front of time and another cost: places in `tried` of those that no other one beats in one without losing
/// in the other; the fastest first. Of equal ones the first is taken. A configuration without a known cost takes no
/// part. One place: a single configuration is best in both.
std::vector<std::size_t> pareto_front(const std::vector<Tried>& tried, TriedCost cost = &Tried::memory_bytes);

}  // namespace kernelgen
