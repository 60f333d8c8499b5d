// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/round/record.h"

namespace kernelgen {

/// The relative standard deviation of samples above which times are noisy.
inline constexpr double spread_limit = 0.05;

/// The larger of the two sides' relative standard deviations.
double spread_of(const RoundCase& timed);

/// Whether the speedup's interval contains 1, so that neither side is known to be faster.
bool holds_one(const RoundCase& timed);

/// Whether a timed case is noisy: a side's relative standard deviation is over the limit, or the interval contains 1.
bool is_noisy(const RoundCase& timed);

/// Whether a round is noisy: a case of it is, whose time counts.
bool is_noisy(const Round& round);

}  // namespace kernelgen
