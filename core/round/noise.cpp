// SPDX-License-Identifier: Apache-2.0
#include "core/round/noise.h"

#include <algorithm>

#include "core/round/best.h"

namespace kernelgen {

double spread_of(const RoundCase& timed) { return std::max(timed.rsd, timed.baseline_rsd); }

bool holds_one(const RoundCase& timed) { return timed.speedup_lower <= 1 && timed.speedup_upper >= 1; }

bool is_noisy(const RoundCase& timed) { return spread_of(timed) > spread_limit || holds_one(timed); }

bool is_noisy(const Round& round) {
    return std::ranges::any_of(timed_cases(round), [](const RoundCase* each) { return is_noisy(*each); });
}

}  // namespace kernelgen
