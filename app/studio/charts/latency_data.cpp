// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/latency_data.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace kernelgen::studio {

namespace {

constexpr int fewest_bins = 12, most_bins = 60;

LatencySide sideOf(std::span<const double> samples, const std::vector<double>& edges) {
    LatencySide side;
    side.samples = static_cast<int>(samples.size());
    side.shares.assign(edges.size() - 1, 0.0);
    for (const double each : samples) {
        const auto above = std::ranges::upper_bound(edges, each) - edges.begin();
        const auto bin = std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(side.shares.size()) - 1);
        side.shares[static_cast<std::size_t>(bin)] += 1.0 / side.samples;
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    if (sorted.empty()) return side;
    side.p50 = quantile(sorted, 0.5);
    side.p90 = quantile(sorted, 0.9);
    side.p99 = quantile(sorted, 0.99);
    return side;
}

/// Positive samples' bins; a single value gets one bin around it.
std::vector<double> edgesOf(std::vector<double> all) {
    std::erase_if(all, [](double each) { return !(each > 0) || !std::isfinite(each); });
    if (all.empty()) return {};
    const auto [least, most] = std::ranges::minmax(all);
    const double low = std::log(least) - 0.005, high = std::log(most) + 0.005;
    const int bins =
        std::clamp(static_cast<int>(2 * std::sqrt(static_cast<double>(all.size()))), fewest_bins, most_bins);
    std::vector<double> edges;
    for (int i = 0; i <= bins; ++i) edges.push_back(std::exp(low + (high - low) * i / bins));
    return edges;
}

}  // namespace

LatencyData latencyData(const BenchResult& timing) {
    LatencyData data;
    std::vector<double> all = timing.candidate_seconds;
    all.insert(all.end(), timing.baseline_seconds.begin(), timing.baseline_seconds.end());
    data.edges = edgesOf(std::move(all));
    if (data.edges.empty()) return data;
    data.candidate = sideOf(timing.candidate_seconds, data.edges);
    data.baseline = sideOf(timing.baseline_seconds, data.edges);
    return data;
}

}  // namespace kernelgen::studio
