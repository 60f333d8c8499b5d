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

/// Part of a row of the iteration space; short rows are whole.
struct Stretch {
    static constexpr std::int64_t most_columns = 32 * Evaluator<double>::block_columns;

    std::int64_t row = 0;
    std::int64_t first = 0, count = 0;  ///< columns
    std::int64_t number = 0;            ///< among all of the space
};

/// How a space is cut into stretches, numbered row by row.
struct Stretches {
    Space space;
    std::int64_t per_row = 1;

    explicit Stretches(Space space);
    std::int64_t total() const { return space.rows * per_row; }
    Stretch operator[](std::int64_t number) const;
};

/// Evaluates stretches in float64 and in the precision of the case's arithmetic (f64 only where there are sums). One a
/// thread; the criteria must outlive it.
class StretchEvaluator {
public:
    explicit StretchEvaluator(const Criteria& criteria);
    StretchEvaluator(const StretchEvaluator&) = delete;

    /// The own evaluation is in the arithmetic's precision, its sums with a rounding's error, rounded to the outputs'
    /// dtypes. What is known of a stretch (`Criteria::known`) is not evaluated before it is asked for.
    void evaluate(const Stretch& stretch);

    /// Of the last stretch: output i's reference, its `count` columns; of an output that has one value a row, that one
    /// with the row's first stretch and none with the others.
    std::span<const double> expected(std::size_t i) const;
    /// The element of output i's tensor that `expected(i)` begins with.
    std::int64_t first_element(std::size_t i) const;
    /// The largest error of the own evaluation, of elements that are finite in both; 0 where there is none. After
    /// `doubt`, also of the evaluations that it made.
    double own_error(std::size_t i) const { return own_errors_[i]; }
    /// Evaluates the last stretch in the arithmetic's precision four times more, with operations rounded up and down:
    /// where the own evaluation is near the reference by luck, these are not.
    void doubt();
    /// Whether an element of the own evaluation is NaN, infinite or finite where `stored` is not, or one that `doubt`
    /// made is NaN where it is not: then the arithmetic's precision decides what the element is, and a kernel may have
    /// another.
    bool own_is_of_another_kind(std::size_t i, std::size_t element, double stored);
    /// Whether a sum of the stretch's row overflows in the arithmetic for some order of its terms.
    bool may_overflow();

private:
    using Values = std::vector<std::vector<double>>;  ///< of each output

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

    const Criteria& criteria_;
    InputCache cache_;
    std::optional<InputCache> own_cache_;  ///< of own_inputs
    Evaluator<double> reference_;
    std::optional<Evaluator<float>> f32_;  ///< this or the next is the arithmetic's
    std::optional<Evaluator<double>> f64_;
    std::unique_ptr<OverflowProbe> probe_;
    std::vector<RowMap> maps_;
    std::vector<DType> dtypes_;
    Stretch stretch_;
    bool is_evaluated_ = false;  ///< or known only
    Values expected_, own_;
    std::vector<double> own_errors_;
    std::vector<Values> doubts_;
    std::vector<std::byte> rounded_;
};

}  // namespace kernelgen
