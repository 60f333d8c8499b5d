// SPDX-License-Identifier: Apache-2.0
#include "core/verify/error_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace kernelgen {
namespace {

constexpr int octaves = 384;  // 2^-192 to 2^192
constexpr int bins_an_octave = 64;
constexpr int decade_bins = 160;  // of ErrorMetrics::histogram: 10^-20 to 10^20

/// The leading bits of a positive double are its octave and the linear place within it.
std::size_t bin_of(double error) {
    const auto leading = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(error) >> 46);
    const std::int64_t bin = leading - static_cast<std::int64_t>(1023 - octaves / 2) * bins_an_octave;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, octaves * bins_an_octave - 1));
}

double middle_of(std::size_t bin) {
    const auto place = static_cast<double>(bin % bins_an_octave) + 0.5;
    return std::ldexp(1 + place / bins_an_octave, static_cast<int>(bin / bins_an_octave) - octaves / 2);
}

}  // namespace

void ErrorStatistics::add(double expected, double actual) {
    const double error = std::abs(actual - expected);
    add_error(expected, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    values_.add(expected, actual);
}

void ErrorStatistics::add_all(std::span<const double> expected, std::span<const double> actual) {
    if (!std::ranges::equal(expected, actual)) {
        for (std::size_t i = 0; i < expected.size(); ++i) add(expected[i], actual[i]);
        return;
    }
    const auto count = static_cast<std::int64_t>(expected.size());
    elements_ += count;
    measured_ += count;
    exact_ += count;
    relative_ += count - std::ranges::count(expected, 0.0);
    values_.add_equal(expected);
}

void ErrorStatistics::add_error(double expected, double error) {
    ++elements_;
    ++measured_;
    if (expected != 0) {
        const double relative = error / std::abs(expected);
        ++relative_;
        sum_relative_ += relative;
        max_relative_ = std::max(max_relative_, relative);
    }
    if (error == 0) {
        ++exact_;
        return;
    }
    sum_absolute_ += error;
    max_absolute_ = std::max(max_absolute_, error);
    if (bins_.empty()) bins_.resize(octaves * bins_an_octave);
    ++bins_[bin_of(error)];
}

void ErrorStatistics::add_not_finite(bool matches) {
    if (!matches) return add_error(0, std::numeric_limits<double>::infinity());
    ++elements_;
}

void ErrorStatistics::add_excluded() {
    ++elements_;
    ++excluded_;
}

void ErrorStatistics::merge(const ErrorStatistics& other) {
    elements_ += other.elements_;
    measured_ += other.measured_;
    excluded_ += other.excluded_;
    exact_ += other.exact_;
    relative_ += other.relative_;
    clipped_ += other.clipped_;
    values_.merge(other.values_);
    sum_absolute_ += other.sum_absolute_;
    sum_relative_ += other.sum_relative_;
    max_absolute_ = std::max(max_absolute_, other.max_absolute_);
    max_relative_ = std::max(max_relative_, other.max_relative_);
    bins_.resize(std::max(bins_.size(), other.bins_.size()));
    for (std::size_t i = 0; i < other.bins_.size(); ++i) bins_[i] += other.bins_[i];
}

double ErrorStatistics::quantile(double share) const {
    const auto rank = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(measured_)));
    std::int64_t below = exact_;
    if (rank <= below) return 0;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        below += bins_[i];
        if (rank <= below) return i + 1 == bins_.size() ? max_absolute_ : std::min(middle_of(i), max_absolute_);
    }
    return max_absolute_;
}

ErrorMetrics ErrorStatistics::metrics() const {
    ErrorMetrics metrics;
    metrics.elements = elements_;
    metrics.excluded = excluded_;
    metrics.exact = exact_;
    metrics.max_absolute = max_absolute_;
    metrics.max_relative = max_relative_;
    if (measured_ > 0) metrics.mean_absolute = sum_absolute_ / static_cast<double>(measured_);
    if (relative_ > 0) metrics.mean_relative = sum_relative_ / static_cast<double>(relative_);
    if (elements_ > 0) metrics.clip_ratio = static_cast<double>(clipped_) / static_cast<double>(elements_);
    metrics.kl_divergence = values_.divergence();
    metrics.p50_absolute = quantile(0.50);
    metrics.p90_absolute = quantile(0.90);
    metrics.p99_absolute = quantile(0.99);
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        if (bins_[i] == 0) continue;
        const double quarter = std::floor(4 * (std::log10(middle_of(i)) - metrics.first_exponent));
        const auto bin = static_cast<std::size_t>(std::clamp(quarter, 0.0, decade_bins - 1.0));
        if (metrics.histogram.size() <= bin) metrics.histogram.resize(bin + 1);
        metrics.histogram[bin] += bins_[i];
    }
    return metrics;
}

}  // namespace kernelgen
