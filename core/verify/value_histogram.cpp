// SPDX-License-Identifier: Apache-2.0
#include "core/verify/value_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kernelgen {
namespace {

constexpr std::int64_t value_bins_an_octave = 4, value_octaves = 96;  // 2^-48 to 2^48
constexpr std::int64_t of_a_sign = value_bins_an_octave * value_octaves;
constexpr std::size_t zero = 2 * of_a_sign, nan = zero + 1, all_bins = nan + 1;

/// The golden section of a bin. So no edge is a number that a short type has: rounding to such a number moves as many
/// values up as down.
constexpr std::uint64_t edges_shift = (std::uint64_t{1} << 50) * 618 / 1000;

/// The leading bits of a double's magnitude are its octave and the linear place within it.
std::size_t value_bin(double value) {
    if (value == 0) return zero;
    if (std::isnan(value)) return nan;
    const auto leading = static_cast<std::int64_t>((std::bit_cast<std::uint64_t>(std::abs(value)) + edges_shift) >> 50);
    const std::int64_t bin = leading - (1023 - value_octaves / 2) * value_bins_an_octave;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, of_a_sign - 1) + (value < 0 ? of_a_sign : 0));
}

void add_all(std::vector<std::int64_t>& bins, const std::vector<std::int64_t>& more) {
    bins.resize(std::max(bins.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) bins[i] += more[i];
}

}  // namespace

void ValueHistogram::make_room() {
    expected_.resize(all_bins);
    actual_.resize(all_bins);
}

void ValueHistogram::add_equal(std::span<const double> values) {
    make_room();
    count_ += static_cast<std::int64_t>(values.size());
    for (const double value : values) {
        const std::size_t bin = value_bin(value);
        ++expected_[bin];
        ++actual_[bin];
    }
}

void ValueHistogram::add(double expected, double actual) {
    if (expected_.empty()) make_room();
    ++count_;
    ++expected_[value_bin(expected)];
    ++actual_[value_bin(actual)];
}

void ValueHistogram::merge(const ValueHistogram& other) {
    count_ += other.count_;
    add_all(expected_, other.expected_);
    add_all(actual_, other.actual_);
}

double ValueHistogram::divergence() const {
    constexpr double added = 0.5;
    double used = 0;
    for (std::size_t i = 0; i < expected_.size(); ++i) used += expected_[i] + actual_[i] > 0 ? 1 : 0;
    const double all = static_cast<double>(count_) + added * used;
    double sum = 0;
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        if (expected_[i] == actual_[i]) continue;
        const double p = static_cast<double>(expected_[i]) + added, q = static_cast<double>(actual_[i]) + added;
        sum += p / all * std::log(p / q);
    }
    return std::max(0.0, sum);
}

}  // namespace kernelgen
