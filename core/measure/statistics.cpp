// SPDX-License-Identifier: Apache-2.0
#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace kernelgen {
namespace {

std::vector<double> sorted(std::span<const double> values) {
    std::vector<double> copy(values.begin(), values.end());
    std::ranges::sort(copy);
    return copy;
}

/// The median of a resample that holds `counts[i]` copies of `values[i]`, where values are sorted.
double median_of_resample(std::span<const double> values, std::span<const int> counts) {
    const std::size_t n = values.size();
    std::size_t seen = 0, i = 0;
    while (seen + static_cast<std::size_t>(counts[i]) <= (n - 1) / 2) seen += static_cast<std::size_t>(counts[i++]);
    const double lower = values[i];
    while (seen + static_cast<std::size_t>(counts[i]) <= n / 2) seen += static_cast<std::size_t>(counts[i++]);
    return (lower + values[i]) / 2;
}

/// The medians of 2,000 resamples of `values` (sorted) with replacement, sorted.
std::vector<double> bootstrap_medians(std::span<const double> values, std::uint64_t seed) {
    constexpr int resamples = 2000;
    std::mt19937_64 random(seed);
    std::vector<int> counts(values.size());
    std::vector<double> medians(resamples);
    for (double& median : medians) {
        std::ranges::fill(counts, 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            // Lemire's multiply-and-shift; its bias is below n / 2^32.
            ++counts[(random() >> 32) * values.size() >> 32];
        }
        median = median_of_resample(values, counts);
    }
    std::ranges::sort(medians);
    return medians;
}

}  // namespace

double quantile(std::span<const double> values, double q) {
    if (values.empty()) return 0;
    const double position = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

double lower_quartile(std::span<const double> samples) { return quantile(sorted(samples), 0.25); }

Summary summarise(std::span<const double> samples) {
    Summary summary;
    summary.samples = static_cast<int>(samples.size());
    if (samples.empty()) return summary;
    const std::vector<double> values = sorted(samples);
    const auto count = static_cast<double>(values.size());
    summary.min = values.front();
    summary.p50 = quantile(values, 0.5);
    summary.p90 = quantile(values, 0.9);
    summary.p99 = quantile(values, 0.99);
    summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
    if (values.size() > 1) summary.standard_deviation = std::sqrt(squares / (count - 1));
    if (summary.mean > 0) summary.relative_standard_deviation = summary.standard_deviation / summary.mean;
    const double first = quantile(values, 0.25), third = quantile(values, 0.75), reach = 1.5 * (third - first);
    summary.outliers = static_cast<int>(
        std::ranges::count_if(values, [&](double value) { return value < first - reach || value > third + reach; }));
    return summary;
}

Speedup speedup_of(std::span<const double> candidate, std::span<const double> baseline, std::uint64_t seed) {
    Speedup speedup;
    speedup.pairs = static_cast<int>(std::min(candidate.size(), baseline.size()));
    if (speedup.pairs == 0) return speedup;
    std::vector<double> ratios(static_cast<std::size_t>(speedup.pairs));
    for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] = baseline[i] / candidate[i];
    std::ranges::sort(ratios);
    const std::vector<double> medians = bootstrap_medians(ratios, seed);
    speedup.median = quantile(ratios, 0.5);
    speedup.lower = quantile(medians, 0.025);
    speedup.upper = quantile(medians, 0.975);
    speedup.ratio_of_medians = quantile(sorted(baseline), 0.5) / quantile(sorted(candidate), 0.5);
    speedup.p_value = mann_whitney_p(candidate, baseline);
    return speedup;
}

double mann_whitney_p(std::span<const double> a, std::span<const double> b) {
    if (a.empty() || b.empty()) return 1;
    struct Value {
        double value;
        bool of_a;
    };
    std::vector<Value> all;
    for (const double value : a) all.push_back({value, true});
    for (const double value : b) all.push_back({value, false});
    std::ranges::sort(all, {}, &Value::value);
    const auto n = static_cast<double>(all.size()), na = static_cast<double>(a.size()),
               nb = static_cast<double>(b.size());
    double rank_sum = 0, ties = 0;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end].value == all[i].value) ++end;
        const auto tied = static_cast<double>(end - i);
        const double rank = (static_cast<double>(i) + static_cast<double>(end) + 1) / 2;
        for (std::size_t j = i; j < end; ++j) rank_sum += all[j].of_a ? rank : 0;
        ties += tied * (tied * tied - 1);
        i = end;
    }
    const double u = rank_sum - na * (na + 1) / 2;
    const double variance = na * nb / 12 * (n + 1 - ties / (n * (n - 1)));
    if (!(variance > 0)) return 1;
    const double z = std::max(0.0, std::abs(u - na * nb / 2) - 0.5) / std::sqrt(variance);
    return std::erfc(z / std::sqrt(2.0));
}

}  // namespace kernelgen
