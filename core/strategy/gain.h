// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "core/round/record.h"

namespace kernelgen {

/// How much two runs of the same kernel differ, even where the intervals of both are narrower (standard deviation of
/// the logarithm). The reasons are clocks, the placement of memory, and other programs.
inline constexpr double noise_between_runs = 0.01;

/// The standard deviation of the logarithm of a timed case's speedup: of its interval and between runs.
double noise_of(const RoundCase& timed);

/// How many times as fast a case became, by its speedups over the same baseline, with a 95 % interval. Nothing where
/// one of them was not timed.
std::optional<Gain> gain_between(const RoundCase& before, const RoundCase& after);

/// The gain over all cases that both rounds timed: the geometric mean. Nothing where the rounds cannot be compared
/// (device, baseline, environment) or have no such case.
std::optional<Gain> gain_between(const Round& before, const Round& after);

/// The gain of some of `all` cases, as the geometric mean over all: the others stay as they are.
Gain as_part(const Gain& gain, std::size_t some, std::size_t all);

}  // namespace kernelgen
