// SPDX-License-Identifier: Apache-2.0
#include "core/bench/slower.h"

#include <algorithm>

#include "core/measure/statistics.h"

namespace kernelgen {

double seconds_longer(const std::vector<double>& a, const std::vector<double>& b) {
    return std::max(lower_quartile(a) - lower_quartile(b), summarise(a).p50 - summarise(b).p50);
}

Slower is_slower(const std::vector<double>& a, const std::vector<double>& b, double seconds) {
    constexpr double by_chance = 1e-5;
    if (a.empty() || b.empty()) return Slower::no;
    if (seconds_longer(a, b) <= seconds) return Slower::no;
    return mann_whitney_p(a, b) < by_chance ? Slower::yes : Slower::unknown;
}

double saved_by_predictors(const Layout& layout) {
    constexpr std::size_t too_many_bytes = 512 << 10;
    std::size_t bytes = 0;
    for (const Region& input : layout.inputs) bytes += input.bytes;
    return bytes < too_many_bytes ? 5e-4 : 0;
}

}  // namespace kernelgen
