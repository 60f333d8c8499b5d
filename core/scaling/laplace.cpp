// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/laplace.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelgen {
namespace {

struct ErrorRange {
    double from = 0, to = 0;
    double count = 0;
};

/// The bins of the definition; `b` is the mean.
std::vector<ErrorRange> ranges_of(const ErrorMetrics& metrics, double b) {
    constexpr double bins_a_decade = 4, small = 1e-3;
    const auto edge = [&](std::size_t bin) {
        return std::pow(10.0, metrics.first_exponent + static_cast<double>(bin) / bins_a_decade);
    };
    std::vector<ErrorRange> ranges{{0, 0, static_cast<double>(metrics.exact)}};
    for (std::size_t i = 0; i < metrics.histogram.size(); ++i) {
        const auto count = static_cast<double>(metrics.histogram[i]);
        if (i == 0 || edge(i) < small * b) {
            ranges.front().to = edge(i + 1);
            ranges.front().count += count;
        } else ranges.push_back({edge(i), edge(i + 1), count});
    }
    ranges.back().to = std::numeric_limits<double>::infinity();
    return ranges;
}

}  // namespace

double divergence_from_laplace(const ErrorMetrics& metrics) {
    const double b = metrics.mean_absolute;
    if (!(b > 0) || !std::isfinite(b)) return 0;
    const std::vector<ErrorRange> ranges = ranges_of(metrics, b);
    double all = 0, sum = 0;
    for (const ErrorRange& each : ranges) all += each.count;
    for (const ErrorRange& each : ranges) {
        if (each.count == 0) continue;
        const double log_q = -each.from / b + std::log(-std::expm1((each.from - each.to) / b));
        sum += each.count / all * (std::log(each.count / all) - log_q);
    }
    return std::max(0.0, sum);
}

}  // namespace kernelgen
