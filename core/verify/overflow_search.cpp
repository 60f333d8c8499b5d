// SPDX-License-Identifier: Apache-2.0
#include "core/verify/overflow_search.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kernelgen {
namespace {

constexpr std::size_t most_small_elements = 1 << 15;

InputEdit times(std::size_t tensor, double factor) {
    return [=](std::size_t input, std::int64_t, double value) { return input == tensor ? value * factor : value; };
}

}  // namespace

bool may_overflow(const Check& check) { return !overflow_probes(check.set).empty(); }

/// How many divisions of the elements into two halves are tried. Small checks can afford enough of them to separate
/// nearly any two elements.
int OverflowSearch::pairs_of_halves() const {
    const auto is_large = [&](const Tensor& output) { return elements_in(check_, output) > most_small_elements; };
    return std::ranges::any_of(definition_.outputs, is_large) ? 3 : 8;
}

std::vector<OverflowMarks> OverflowSearch::marks(const Results& expected) {
    if (!may_overflow(check_)) return {};
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Tensor& output = definition_.outputs[i];
        marks_.emplace_back(dtype_of(output, check_.binding), elements_in(check_, output));
        marks_.back().set_check(values_of(expected, definition_, i));
    }
    for (const InputSet set : overflow_probes(check_.set)) probe_set(set);
    probe_halves();
    probe_scales();
    probe_negated();
    probe_unrelated();
    return std::move(marks_);
}

void OverflowSearch::probe_set(InputSet set) {
    Check other = check_;
    other.set = set;
    Results wide, own;
    if (!runner_.run_wide(other, wide).ok()) return;
    if (!runner_.run_in(check_.binding.dtype, other, own).ok()) return;
    const auto add = set == InputSet::large_magnified ? &OverflowMarks::add_magnified : &OverflowMarks::add_magnitudes;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        (marks_[i].*add)(values_of(wide, definition_, i), values_of(own, definition_, i));
    }
}

/// Runs the reference with zeros for one half of the inputs' elements, then for the other. The parity of some bits of
/// its index says in which half an element is. Any two elements are separated by half of all such divisions.
void OverflowSearch::probe_halves() {
    for (int pair = 0; pair < pairs_of_halves(); ++pair) {
        const std::uint64_t bits = pair == 0 ? 1 : 0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(pair) >> 24;
        const auto half = [bits](int kept) {
            return [=](std::size_t, std::int64_t index, double value) {
                return std::popcount(static_cast<std::uint64_t>(index) & bits) % 2 == kept ? value : 0;
            };
        };
        Results one, other;
        if (!runner_.run_wide(check_, one, half(0)).ok()) continue;
        if (!runner_.run_in(DType::f64, check_, other, half(1)).ok()) continue;
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            marks_[i].add_halves(values_of(one, definition_, i), values_of(other, definition_, i));
        }
    }
}

/// Runs the reference with each input in turn divided by about the square root of the largest number, and set to zeros.
void OverflowSearch::probe_scales() {
    for (std::size_t scaled = 0; scaled < definition_.inputs.size(); ++scaled) {
        const Tensor& tensor = definition_.inputs[scaled];
        const DType dtype = dtype_of(tensor, check_.binding);
        if (is_integer(dtype) || tensor.domain) continue;
        Results zeroed, smaller;
        if (!runner_.run_wide(check_, zeroed, times(scaled, 0)).ok()) continue;
        const double factor = std::ldexp(1.0, -(std::ilogb(largest_finite(dtype)) + 1) / 2);
        if (!runner_.run_in(DType::f64, check_, smaller, times(scaled, factor)).ok()) continue;
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            marks_[i].add_scaled(values_of(smaller, definition_, i), values_of(zeroed, definition_, i));
        }
        if (std::ranges::any_of(marks_, &OverflowMarks::has_covered)) probe_covered(scaled, largest_finite(dtype));
    }
}

/// Runs the reference with NaN, the largest number and its negative in one tensor. This tells an element that a small
/// part cannot change, as the bias of a normalisation, from one that is made of other inputs alone, and from a maximum.
void OverflowSearch::probe_covered(std::size_t tensor, double largest) {
    const auto with_sign = [tensor](double magnitude) {
        return [=](std::size_t input, std::int64_t, double value) {
            return input == tensor ? std::signbit(value) ? -magnitude : magnitude : value;
        };
    };
    Results poisoned, positive, negated;
    if (!runner_.run_wide(check_, poisoned, times(tensor, std::nan(""))).ok()) return;
    if (!runner_.run_wide(check_, positive, with_sign(largest)).ok()) return;
    if (!runner_.run_in(DType::f64, check_, negated, with_sign(-largest)).ok()) return;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        marks_[i].add_covered(values_of(poisoned, definition_, i), values_of(positive, definition_, i),
                              values_of(negated, definition_, i));
    }
}

void OverflowSearch::probe_negated() {
    if (std::ranges::any_of(definition_.inputs, [](const Tensor& input) { return input.domain.has_value(); })) return;
    Results results;
    const auto negated = [](std::size_t, std::int64_t, double value) { return -value; };
    if (!runner_.run_in(DType::f64, check_, results, negated).ok()) return;
    for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i].add_negated(values_of(results, definition_, i));
}

void OverflowSearch::probe_unrelated() {
    Check other = check_;
    other.set = InputSet::normal;
    other.seed = check_.seed + 1;  // `mixed` is normal in half of its places
    Results results;
    if (!runner_.run_in(DType::f64, other, results).ok()) return;
    for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i].add_unrelated(values_of(results, definition_, i));
}

}  // namespace kernelgen
