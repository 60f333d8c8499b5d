// SPDX-License-Identifier: Apache-2.0
#include "core/bench/slower.h"

#include <algorithm>

#include "core/measure/statistics.h"

namespace kernelgen {

Slower is_slower(const std::vector<double>& a, const std::vector<double>& b, double seconds) {
    constexpr double by_chance = 1e-5;
    if (a.empty() || b.empty()) return Slower::no;
    const double by_quartile = lower_quartile(a) - lower_quartile(b), by_median = summarise(a).p50 - summarise(b).p50;
    if (std::max(by_quartile, by_median) <= seconds) return Slower::no;
    return mann_whitney_p(a, b) < by_chance ? Slower::yes : Slower::unknown;
}

}  // namespace kernelgen
