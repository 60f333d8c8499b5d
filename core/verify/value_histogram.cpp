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
constexpr std::size_t tables = 4;  ///< so that adding to a bin need not wait for the element before

/// The golden section of a bin. So no edge is a number that a short type has: rounding to such a number moves as many
/// values up as down.
constexpr std::uint64_t edges_shift = (std::uint64_t{1} << 50) * 618 / 1000;

/// The leading bits of a double's magnitude are its octave and the linear place within it. Without branches: which
/// values are 0 or negative, no processor predicts.
std::size_t value_bin(double value) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63, infinity = std::uint64_t{0x7ff} << 52;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = bits & ~sign;
    const auto leading = static_cast<std::int64_t>((magnitude + edges_shift) >> 50);
    const std::int64_t place = leading - (1023 - value_octaves / 2) * value_bins_an_octave;
    const auto clamped = static_cast<std::size_t>(std::clamp<std::int64_t>(place, 0, of_a_sign - 1));
    const std::size_t bin = clamped + (bits >> 63) * static_cast<std::size_t>(of_a_sign);
    const std::size_t number_bin = magnitude == 0 ? zero : bin;
    return magnitude > infinity ? nan : number_bin;
}

void add_bins(std::vector<std::int64_t>& bins, const std::vector<std::int64_t>& more) {
    bins.resize(std::max(bins.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) bins[i] += more[i];
}

}  // namespace

void ValueHistogram::make_room() {
    expected_.resize(all_bins);
    actual_.resize(all_bins);
}

void ValueHistogram::add_equal(std::span<const double> values) {
    equal_.resize(tables * all_bins);
    count_ += static_cast<std::int64_t>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) ++equal_[i % tables * all_bins + value_bin(values[i])];
}

std::int64_t ValueHistogram::equal(std::size_t bin) const {
    std::int64_t sum = 0;
    for (std::size_t at = bin; at < equal_.size(); at += all_bins) sum += equal_[at];
    return sum;
}

void ValueHistogram::add(double expected, double actual) {
    if (expected_.empty()) make_room();
    ++count_;
    ++expected_[value_bin(expected)];
    ++actual_[value_bin(actual)];
}

void ValueHistogram::merge(const ValueHistogram& other) {
    count_ += other.count_;
    add_bins(expected_, other.expected_);
    add_bins(actual_, other.actual_);
    add_bins(equal_, other.equal_);
}

double ValueHistogram::divergence() const {
    constexpr double added = 0.5;
    double used = 0;
    for (std::size_t i = 0; i < expected_.size(); ++i) used += expected_[i] + actual_[i] + equal(i) > 0 ? 1 : 0;
    const double all = static_cast<double>(count_) + added * used;
    double sum = 0;
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        if (expected_[i] == actual_[i]) continue;
        const double p = static_cast<double>(expected_[i] + equal(i)) + added;
        const double q = static_cast<double>(actual_[i] + equal(i)) + added;
        sum += p / all * std::log(p / q);
    }
    return std::max(0.0, sum);
}

}  // namespace kernelgen
