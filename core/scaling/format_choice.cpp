// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/format_choice.h"

#include <algorithm>

namespace kernelgen {

FormatChoice choose_format(const ModeErrors& e4m3, const ModeErrors& e5m2) {
    FormatChoice choice{.e4m3 = e4m3, .e5m2 = e5m2};
    const bool loses_small = e4m3.flushed > most_flushed && e5m2.flushed < e4m3.flushed;
    if (loses_small || e5m2.relative_error < e4m3.relative_error) {
        choice.format = DType::f8e5m2;
        choice.reason = FormatReason::range;
    }
    return choice;
}

FormatChoice choose_format(const std::vector<double>& channels) {
    FormatChoice choice{.reason = FormatReason::amax_only};
    double least = 0, most = 0;
    for (const double each : channels) {
        most = std::max(most, each);
        if (each > 0) least = least == 0 ? each : std::min(least, each);
    }
    const double range = largest_finite(DType::f8e4m3) / smallest_normal(DType::f8e4m3);
    if (least > 0 && most > least * range) return {.format = DType::f8e5m2, .reason = FormatReason::channels};
    return choice;
}

}  // namespace kernelgen
