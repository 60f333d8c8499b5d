// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// Evaluates a body row by row in arithmetic T: double for the reference, float for the studio's own f32 evaluation
/// (what the arithmetic's precision must cost). Min, max, clamp and row reductions propagate NaN; comparisons with
/// NaN are false. Sums are pairwise, variances two-pass. One evaluator a thread.
template <class T>
class Evaluator {
public:
    /// Fills `values` (the input's columns: 1 or the space's) with row `row` of input `input`.
    using LoadRow = std::function<void(int input, std::int64_t row, std::span<T> values)>;

    /// `sizes` must satisfy `space_of`. `definition` and `body` must outlive the evaluator.
    Evaluator(const Operator& definition, const Body& body, const Sizes& sizes, LoadRow load);

    /// Computes row `row` of the space; outputs[i] has output i's columns. An input row that is the same as that of
    /// the last call is not loaded again.
    void evaluate(std::int64_t row, std::span<const std::span<T>> outputs);

private:
    void compute(int node);

    const Operator& definition_;
    const Body& body_;
    LoadRow load_;
    std::int64_t columns_;
    std::vector<RowMap> input_maps_;
    std::vector<std::int64_t> loaded_rows_;
    std::vector<std::vector<T>> values_;  ///< of each node: one, or a row's
};

extern template class Evaluator<double>;
extern template class Evaluator<float>;

}  // namespace kernelgen
