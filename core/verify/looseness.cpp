// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <format>
#include <vector>

#include "core/verify/judge.h"
#include "core/verify/stretch.h"
#include "core/verify/tolerance.h"

namespace kernelgen {
namespace {

constexpr std::int64_t most_sampled = 1 << 20;
constexpr std::int64_t most_pairs = 64;

/// An output with a tolerance of the project's own.
struct Looked {
    std::size_t output;
    std::string name;
    DType dtype;
    Tolerance tolerance;
    std::vector<double> magnitudes;  ///< of sampled elements that are finite and not zero
    double squares = 0;
    std::int64_t finite = 0;

    double scale() const { return finite ? std::min(1.0, std::sqrt(squares / static_cast<double>(finite))) : 0; }
    bool tells_apart(double a, double b) const {
        if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
        const double nearer = std::min(std::abs(a), std::abs(b));
        return !(std::abs(a - b) <= tolerance.rtol * nearer + tolerance.atol * scale());
    }
    Said too_loose(const Said& what_passes) const {
        const Tolerance strict = default_tolerance(dtype);
        return say(
            "the tolerance rtol {:.3g}, atol {:.3g} for {} is too loose: {}; set a smaller pair in `accuracy`, or "
            "leave "
            "it out for the default, rtol {:.3g}, atol {:.3g}",
            tolerance.rtol, tolerance.atol, to_string(dtype), what_passes, strict.rtol, strict.atol);
    }
};

std::vector<Looked> outputs_to_look_at(const Criteria& criteria) {
    std::vector<Looked> found;
    for (std::size_t i = 0; i < criteria.definition.outputs.size(); ++i) {
        const Tensor& output = criteria.definition.outputs[i];
        const DType dtype = dtype_of(output, criteria.binding);
        if (!own_tolerance(criteria.accuracy, dtype)) continue;
        found.push_back({.output = i,
                         .name = output.name,
                         .dtype = dtype,
                         .tolerance = tolerance_for(criteria.accuracy, dtype),
                         .magnitudes = {}});
    }
    return found;
}

void sample(const Space& space, StretchEvaluator& evaluator, std::vector<Looked>& outputs) {
    constexpr std::int64_t block = Evaluator<double>::block_columns;
    const std::int64_t width = std::min(space.columns, block);
    const std::int64_t blocks_a_row = (space.columns + block - 1) / block;
    const std::int64_t blocks = space.rows * blocks_a_row;
    const bool all = space.rows * space.columns <= most_sampled;
    const std::int64_t taken = all ? blocks : std::max<std::int64_t>(1, most_sampled / 4 / width);
    for (std::int64_t i = 0; i < std::min(taken, blocks); ++i) {
        const std::int64_t number = all ? i : static_cast<std::int64_t>(static_cast<double>(i) * blocks / taken);
        const std::int64_t first = number % blocks_a_row * block;
        evaluator.evaluate({number / blocks_a_row, first, std::min(block, space.columns - first)});
        for (Looked& looked : outputs) {
            for (const double value : evaluator.expected(looked.output)) {
                if (!std::isfinite(value)) continue;
                looked.squares += value * value;
                ++looked.finite;
                if (round_to(looked.dtype, value) != 0) looked.magnitudes.push_back(std::abs(value));
            }
        }
    }
}

std::optional<Said> passes_zeros(const Looked& looked) {
    const double bound = looked.tolerance.atol * looked.scale();
    const auto passing = std::ranges::count_if(
        looked.magnitudes, [&](double magnitude) { return magnitude <= looked.tolerance.rtol * magnitude + bound; });
    const double share =
        static_cast<double>(passing) / static_cast<double>(std::max<std::size_t>(1, looked.magnitudes.size()));
    if (share <= 0.1) return std::nullopt;
    return looked.too_loose(
        say("{:.0f} % of the non-zero elements of `{}` would pass as zero", 100 * share, looked.name));
}

/// Whether two rows differ in an output, and whether the tolerance tells them apart. Both columns by column, so a
/// difference ends the comparison.
struct PairCounts {
    int differing = 0;
    int told_apart = 0;
};

void compare_rows(const Space& space, std::int64_t row, StretchEvaluator& a, StretchEvaluator& b,
                  const std::vector<Looked>& outputs, std::vector<PairCounts>& counts) {
    constexpr std::int64_t block = Evaluator<double>::block_columns;
    std::vector<char> differs(outputs.size(), 0), apart(outputs.size(), 0);
    for (std::int64_t first = 0; first < space.columns && std::ranges::count(apart, 0) > 0; first += block) {
        const std::int64_t count = std::min(block, space.columns - first);
        a.evaluate({row, first, count});
        b.evaluate({row + 1, first, count});
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const std::span<const double> left = a.expected(outputs[i].output), right = b.expected(outputs[i].output);
            for (std::size_t k = 0; k < std::min(left.size(), right.size()) && !apart[i]; ++k) {
                apart[i] = outputs[i].tells_apart(left[k], right[k]);
                differs[i] |= round_to(outputs[i].dtype, left[k]) != round_to(outputs[i].dtype, right[k]);
            }
        }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        counts[i].differing += differs[i] || apart[i];
        counts[i].told_apart += apart[i];
    }
}

std::optional<Said> passes_exchanged_rows(const Looked& looked, const PairCounts& counts) {
    if (2 * counts.told_apart >= counts.differing) return std::nullopt;
    return looked.too_loose(say("of {} pairs of different rows of `{}`, {} could be exchanged and would pass",
                                counts.differing, looked.name, counts.differing - counts.told_apart));
}

}  // namespace

std::optional<Said> too_loose(const Criteria& criteria) {
    std::vector<Looked> outputs = outputs_to_look_at(criteria);
    if (outputs.empty()) return std::nullopt;
    const Space space = *space_of(criteria.body, criteria.binding.sizes);
    StretchEvaluator evaluator(criteria), neighbour(criteria);
    sample(space, evaluator, outputs);
    for (const Looked& looked : outputs) {
        if (std::optional<Said> reason = passes_zeros(looked)) return reason;
    }
    std::vector<PairCounts> counts(outputs.size());
    const std::int64_t pairs = std::min(most_pairs, space.rows - 1);
    for (std::int64_t i = 0; i < pairs; ++i) {
        const std::int64_t row = static_cast<std::int64_t>(static_cast<double>(i) * (space.rows - 1) / pairs);
        compare_rows(space, row, evaluator, neighbour, outputs, counts);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (std::optional<Said> reason = passes_exchanged_rows(outputs[i], counts[i])) return reason;
    }
    return std::nullopt;
}

}  // namespace kernelgen
