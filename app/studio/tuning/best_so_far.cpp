// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/best_so_far.h"

#include <algorithm>

namespace kernelgen::studio {

std::vector<BestStep> bestSoFar(const Tuning& tuning) {
    std::vector<BestStep> all;
    for (std::size_t row = 0; row < tuning.tried.size(); ++row) {
        const Tried& each = tuning.tried[row];
        if (each.is_ok()) all.push_back({each.elapsed_seconds, each.objective, static_cast<int>(row)});
    }
    std::ranges::stable_sort(all, {}, &BestStep::seconds);
    std::vector<BestStep> steps;
    for (const BestStep& each : all) {
        if (steps.empty() || each.objective < steps.back().objective) steps.push_back(each);
    }
    return steps;
}

}  // namespace kernelgen::studio
