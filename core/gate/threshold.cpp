// SPDX-License-Identifier: Apache-2.0
#include "core/gate/threshold.h"

#include <algorithm>

#include "core/measure/statistics.h"

namespace kernelgen {

Threshold learned_threshold(const std::vector<double>& changes) {
    if (changes.size() < checks_to_learn) return {default_threshold, "default"};
    const Summary summary = summarise(changes);
    return {std::clamp(summary.mean + 3 * summary.standard_deviation, least_learned, most_learned), "learned"};
}

}  // namespace kernelgen
