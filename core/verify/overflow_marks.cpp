// SPDX-License-Identifier: Apache-2.0
#include "core/verify/overflow_marks.h"

#include <algorithm>
#include <cmath>

namespace kernelgen {
namespace {

constexpr std::size_t block = 4096;

/// Calls `visit` with every element's number and its values in all of `sources`.
template <class Visit, class... Source>
void for_each_element(std::size_t elements, const Visit& visit, Source... sources) {
    std::vector<double> values[sizeof...(sources)];
    for (std::size_t first = 0; first < elements; first += block) {
        const std::size_t count = std::min(block, elements - first);
        std::size_t next = 0;
        const auto decode_next = [&](StoredValues source) {
            values[next].resize(count);
            decode(source.dtype, source.data + first * size_of(source.dtype), std::span(values[next++]));
        };
        (decode_next(sources), ...);
        for (std::size_t i = 0; i < count; ++i) {
            if constexpr (sizeof...(sources) == 1) visit(first + i, values[0][i]);
            else visit(first + i, values[0][i], values[1][i]);
        }
    }
}

/// Whether `own` is not what `wide` is once it is stored. A value that is off by half is what overflow within leaves,
/// such as 0 where a sum of squares was divided by.
bool is_broken(double wide, double stored, double own, double floor) {
    if (std::isnan(wide)) return false;
    if (!std::isfinite(stored) || !std::isfinite(own)) return own != stored;
    return std::abs(own - stored) > 0.5 * std::abs(stored) + floor;
}

}  // namespace

void OverflowMarks::add_probe(StoredValues wide, StoredValues own, bool magnitudes) {
    const double floor = smallest_normal(output_);
    for_each_element(
        marks_.size(),
        [&](std::size_t i, double exact, double held) {
            const double stored = round_to(output_, exact);
            if (is_broken(exact, stored, held, floor)) marks_[i] = overflows;
            else if (magnitudes && marks_[i] == judged && !std::isfinite(stored)) marks_[i] = overflows_in_magnitude;
        },
        wide, own);
}

void OverflowMarks::add_check(StoredValues wide, StoredValues own) {
    const double floor = smallest_normal(output_);
    for_each_element(
        marks_.size(),
        [&](std::size_t i, double exact, double held) {
            if (is_broken(exact, round_to(output_, exact), held, floor)) marks_[i] = overflows;
        },
        wide, own);
    settle(wide);
}

void OverflowMarks::add_check(StoredValues own) {
    for_each_element(
        marks_.size(), [&](std::size_t i, double value) { marks_[i] = std::isfinite(value) ? judged : overflows; },
        own);
}

/// A result that is too large for its dtype is judged, unless sums overflow elsewhere: then it may be NaN as well.
void OverflowMarks::settle(StoredValues wide) {
    const bool any = std::ranges::contains(marks_, static_cast<char>(overflows));
    for_each_element(
        marks_.size(),
        [&](std::size_t i, double exact) {
            const bool fits = std::isfinite(round_to(output_, exact));
            if (marks_[i] == overflows_in_magnitude && !fits) marks_[i] = judged;
            if (marks_[i] == judged && any && !fits && std::isfinite(exact)) marks_[i] = overflows;
        },
        wide);
}

}  // namespace kernelgen
