// SPDX-License-Identifier: Apache-2.0
#include "core/verify/overflow_marks.h"

#include <algorithm>
#include <cmath>

#include "core/verify/tolerance.h"

namespace kernelgen {
namespace {

/// Whether `own` is not the value of `wide` as it is stored. A value that is wrong by half or more is a sign of an
/// overflow inside, for example 0 after a division by an infinite sum of squares.
bool is_broken(DType output, double wide, double own) {
    if (std::isnan(wide)) return false;
    const double stored = round_to(output, wide);
    if (!std::isfinite(stored) || !std::isfinite(own)) return own != stored;
    return std::abs(own - stored) > std::max(0.5 * std::abs(stored), absolute_floor(output));
}

bool is_same(double a, double b, double relative) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a == b || (std::isnan(a) && std::isnan(b));
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

/// A sum of terms may overflow of which the mean is above this.
double near_limit(DType output) { return std::pow(largest_finite(output), 0.75); }

constexpr double exactly = 1e-9;  ///< two results in float64 that differ by its rounding only
constexpr double nearly = 1e-2;   ///< a normalisation at two scales: its ε counts more at the smaller one

}  // namespace

/// Calls `visit` with what is known of every element, its value in the check, and its values in `sources`.
template <class Visit, class... Source>
void OverflowMarks::for_each(const Visit& visit, Source... sources) {
    const auto with_found = [&](std::size_t i, double check, auto... values) { visit(found_[i], check, values...); };
    for_each_element(found_.size(), with_found, check_, sources...);
}

void OverflowMarks::add_broken(StoredValues wide, StoredValues own) {
    for_each(
        [&](Found& found, double check, double exact, double held) {
            if (is_broken(output_, exact, held)) found.breaks = true;
            if (!is_same(check, exact, exactly)) found.varies = true;
        },
        wide, own);
}

void OverflowMarks::add_own(StoredValues own) { add_broken(check_, own); }
void OverflowMarks::add_magnified(StoredValues wide, StoredValues own) { add_broken(wide, own); }

void OverflowMarks::add_magnitudes(StoredValues wide, StoredValues own) {
    const double limit = near_limit(output_);
    add_broken(wide, own);
    for_each(
        [&](Found& found, double check, double magnitude) {
            const bool fits = std::isfinite(round_to(output_, magnitude));
            if (!fits && !is_same(std::abs(check), std::abs(magnitude), exactly)) found.too_large = true;
            if (std::abs(check) > limit || std::abs(magnitude) > limit) found.near_limit = true;
            if (8 * std::abs(check) < std::abs(magnitude)) found.cancels = true;
        },
        wide);
}

void OverflowMarks::add_halves(StoredValues one, StoredValues other) {
    const double limit = near_limit(output_);
    for_each(
        [&](Found& found, double check, double with_one, double with_other) {
            const bool same_one = is_same(with_one, check, exactly), same_other = is_same(with_other, check, exactly);
            if (!same_one || !same_other) found.varies = true;
            // A term of 1e76 hides others in float64, of which the sum may overflow too.
            const bool fits = std::isfinite(round_to(output_, check));
            const bool hides = !fits && std::min(std::abs(with_one), std::abs(with_other)) > limit;
            if ((!same_one && !same_other) || hides) found.mixes = true;
        },
        one, other);
}

void OverflowMarks::add_scaled(StoredValues wide, StoredValues zeroed) {
    for_each(
        [](Found& found, double check, double scaled, double without) {
            const bool is_number = check != 0 && std::isfinite(check);
            found.covered = is_number && is_same(check, without, exactly);
            if (!is_number || found.covered) return;
            const double part = std::isfinite(without) ? std::abs(check - without) : std::abs(check);
            if (std::abs(check - scaled) <= nearly * part) found.same_scaled = true;
        },
        wide, zeroed);
}

bool OverflowMarks::has_covered() const {
    return std::ranges::any_of(found_, [](const Found& found) { return found.covered; });
}

void OverflowMarks::add_covered(StoredValues poisoned, StoredValues largest, StoredValues negated) {
    for_each(
        [](Found& found, double check, double with_nan, double with_largest, double with_negated) {
            const bool is_made_of_it = found.covered && std::isnan(with_nan);
            if (is_made_of_it && is_same(check, with_largest, exactly) && is_same(check, with_negated, exactly))
                found.covers = true;
        },
        poisoned, largest, negated);
}

void OverflowMarks::add_negated(StoredValues wide) {
    const double least = std::sqrt(largest_finite(output_)) / 256;
    for_each(
        [&](Found& found, double check, double negated) {
            const bool same = is_same(check, negated, exactly);
            if (!same) found.varies = true;
            if (same && std::abs(check) > least) found.even = true;
        },
        wide);
}

void OverflowMarks::add_unrelated(StoredValues wide) {
    for_each(
        [](Found& found, double check, double other) {
            if (std::isfinite(check) && is_same(check, other, exactly)) found.constant = true;
        },
        wide);
}

std::vector<char> OverflowMarks::exempt() const {
    std::vector<char> exempt(found_.size());
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const Found& found = found_[i];
        const bool normalised = found.same_scaled || found.covers || (found.constant && !found.varies);
        const bool sum = found.too_large || (found.mixes && (found.near_limit || found.even || found.cancels));
        exempt[i] = found.breaks || (!is_integer(output_) && (normalised || sum));
    }
    return exempt;
}

std::vector<char> not_finite(StoredValues own, std::size_t elements) {
    std::vector<char> found(elements);
    for_each_element(elements, [&](std::size_t i, double value) { found[i] = !std::isfinite(value); }, own);
    return found;
}

}  // namespace kernelgen
