// SPDX-License-Identifier: Apache-2.0
#include "core/tune/polish.h"

#include <algorithm>

namespace kernelgen {

bool is_time_to_polish(double begun, double left, double batch) {
    constexpr double most_of_short = 2.0 / 3;
    const double all = begun + left;
    return left <= std::max(polish_share * all, std::min(2 * batch, most_of_short * all));
}

std::vector<std::size_t> near_the_best(const TuningSpace& space, const std::vector<std::size_t>& ranked,
                                       const std::set<std::size_t>& begun, std::size_t count) {
    std::vector<std::size_t> chosen;
    for (const std::size_t best : ranked) {
        for (const std::size_t each : space.neighbours(best)) {
            if (chosen.size() < count && !begun.contains(each)) chosen.push_back(each);
        }
        if (!chosen.empty()) break;
    }
    return chosen;
}

}  // namespace kernelgen
