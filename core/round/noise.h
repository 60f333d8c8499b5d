// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/round/record.h"

namespace kernelgen {

/// The relative standard deviation of samples from which times are noisy.
inline constexpr double spread_limit = 0.05;

/// The larger relative standard deviation of the two sides.
double spread_of(const RoundCase& timed);

/// Whether the speedup's interval holds 1, so that neither side is known to be faster.
bool holds_one(const RoundCase& timed);

/// A timed case is noisy where either side's spread is over the limit, or the interval holds 1.
bool is_noisy(const RoundCase& timed);

/// A round is noisy where a case of it is whose time counts.
bool is_noisy(const Round& round);

}  // namespace kernelgen
