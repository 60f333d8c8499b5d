// SPDX-License-Identifier: Apache-2.0
#include "core/measure/metrics.h"

#include <algorithm>

namespace kernelgen {

const Metric* find_metric(std::string_view name) {
    const auto found = std::ranges::find_if(all_metrics, [&](const Metric& each) { return each.name == name; });
    return found == std::end(all_metrics) ? nullptr : &*found;
}

std::string_view to_string(Better better) {
    switch (better) {
        case Better::lower: return "lower";
        case Better::higher: return "higher";
        case Better::neither: break;
    }
    return "neither";
}

}  // namespace kernelgen
