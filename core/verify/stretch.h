// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/lang/evaluator.h"
#include "core/verify/input_cache.h"
#include "core/verify/judge.h"
#include "core/verify/overflow_probe.h"
#include "core/verify/reference_cache.h"

namespace kernelgen {

/// A part of a row of the iteration space; a short row is one stretch.
struct Stretch {
    static constexpr std::int64_t most_columns = 32 * Evaluator<double>::block_columns;

    std::int64_t row = 0;
    std::int64_t first = 0, count = 0;  ///< columns
    std::int64_t number = 0;            ///< number of this stretch in the space
};

/// The division of a space into stretches, numbered row by row.
struct Stretches {
    Space space;
    std::int64_t per_row = 1;

    explicit Stretches(Space space);
    std::int64_t total() const { return space.rows * per_row; }
    Stretch operator[](std::int64_t number) const;
};

/// Evaluates stretches in float64 and in the precision of the case's arithmetic (for f64 only where the body has sums).
/// One for each thread; the criteria must outlive it.
class StretchEvaluator {
public:
    explicit StretchEvaluator(const Criteria& criteria);
    StretchEvaluator(const StretchEvaluator&) = delete;

    /// Evaluates a stretch. The rounded evaluation is in the arithmetic's precision; its sums have a rounding error,
    /// and its outputs are rounded to their dtypes. Where the reference of a stretch is known (`Criteria::known`), the
    /// stretch is evaluated only when a method needs it.
    void evaluate(const Stretch& stretch);

    /// The reference of output i in the last stretch: `count` columns. An output with one value for each row has this
    /// value in the row's first stretch and no value in the others; in a row that it does not have, it has none.
    std::span<const double> expected(std::size_t i) const;
    /// The index, in output i's tensor, of the first element of `expected(i)`.
    std::int64_t first_element(std::size_t i) const;
    /// The largest error of the rounded evaluation, over elements that are finite in both evaluations; 0 where there
    /// are none. After `doubt`, the evaluations of `doubt` count too.
    double own_error(std::size_t i) const { return own_errors_[i]; }
    /// Evaluates the last stretch four more times in the arithmetic's precision, with operations rounded up or down.
    /// Where the rounded evaluation is near the reference by luck, these evaluations are not.
    void doubt();
    /// Whether the arithmetic's precision decides what this element is, so that a kernel may have another value: in the
    /// rounded evaluation it is NaN, infinite or finite where `stored` is not, or an evaluation of `doubt` made it NaN
    /// where `stored` is not.
    bool own_is_of_another_kind(std::size_t i, std::size_t element, double stored);
    /// Whether an error that contractions may have, four times the arithmetic's, decides whether and with which sign an
    /// element is infinite, or NaN. The evaluation is in float64: `own_error` says nothing of such an element.
    bool contractions_decide_kind(std::size_t i, std::size_t element, double stored);
    /// Whether a sum in the stretch's row overflows in the arithmetic's precision for some order of its terms.
    bool may_overflow();

private:
    using Values = std::vector<std::vector<double>>;  ///< for each output

    void evaluate_both();
    void keep_found() const;
    double largest_error(std::size_t i) const;
    template <class T>
    void append(Evaluator<T>& evaluator, std::int64_t first, std::int64_t count, Values& values);
    template <class Visit>
    void for_each_block(const Visit& visit) const;
    void make_own(std::optional<Evaluator<float>>& f32, std::optional<Evaluator<double>>& f64, Sums sums,
                  std::uint64_t roundings);
    void round(Values& values);
    void evaluate_with_errors();

    const Criteria& criteria_;
    InputCache cache_;
    std::optional<InputCache> own_cache_;  ///< cache of own_inputs
    Evaluator<double> reference_;
    std::optional<Evaluator<float>> f32_;  ///< `f32_` or the next one has the arithmetic's precision
    std::optional<Evaluator<double>> f64_;
    std::unique_ptr<OverflowProbe> probe_;
    std::vector<RowMap> maps_;
    std::vector<DType> dtypes_;
    Stretch stretch_;
    bool is_evaluated_ = false;  ///< false: only the known reference was taken
    Values expected_, own_;
    std::vector<double> own_errors_;
    std::vector<Values> doubts_;
    std::vector<Values> with_errors_;  ///< in float64, of contractions with errors of both signs
    std::vector<std::byte> rounded_;
};

}  // namespace kernelgen
