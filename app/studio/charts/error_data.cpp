// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/error_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernelgen::studio {

namespace {

constexpr double bins_a_decade = 4;

double edge(const ErrorMetrics& metrics, std::size_t bin) {
    return std::pow(10.0, metrics.first_exponent + static_cast<double>(bin) / bins_a_decade);
}

}  // namespace

ErrorData errorData(const ErrorMetrics& metrics) {
    ErrorData data;
    const auto& counts = metrics.histogram;
    const auto judged =
        static_cast<double>(std::accumulate(counts.begin(), counts.end(), static_cast<std::int64_t>(metrics.exact)));
    if (!(judged > 0)) return data;
    data.exact_share = static_cast<double>(metrics.exact) / judged;
    double below = static_cast<double>(metrics.exact);
    const auto first = std::ranges::find_if(counts, [](std::int64_t each) { return each > 0; }) - counts.begin();
    for (auto i = static_cast<std::size_t>(first); i < counts.size(); ++i) {
        below += static_cast<double>(counts[i]);
        data.bins.push_back({.from = edge(metrics, i),
                             .to = edge(metrics, i + 1),
                             .count = static_cast<double>(counts[i]),
                             .cumulative = below / judged});
    }
    while (!data.bins.empty() && data.bins.back().count == 0) data.bins.pop_back();
    return data;
}

}  // namespace kernelgen::studio
