// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/block_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelgen {

double scale_for(double amax, DType format) {
    if (amax == 0) return 1;
    const double largest = largest_finite(format);
    constexpr double least = std::numeric_limits<float>::denorm_min(), most = std::numeric_limits<float>::max();
    const auto scale = static_cast<float>(std::clamp(amax / largest, least, most));
    if (static_cast<double>(scale) * largest >= amax) return scale;
    return std::nextafter(scale, std::numeric_limits<float>::max());
}

StoredCounts store_and_read(std::span<const double> values, double scale, DType format, std::span<double> stored) {
    const double largest = largest_finite(format);
    StoredCounts counts;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double scaled = values[i] / scale;
        const double rounded = round_to(format, std::clamp(scaled, -largest, largest));
        counts.clipped += std::abs(scaled) > largest ? 1 : 0;
        counts.flushed += rounded == 0 && values[i] != 0 ? 1 : 0;
        stored[i] = rounded * scale;
    }
    return counts;
}

}  // namespace kernelgen
