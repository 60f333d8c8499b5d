// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/lang/body.h"

namespace kernelgen {

/// How a sum of more than one element is computed. `as_they_come`: as the pairwise sum; its rounding error may be 0 by
/// chance. `with_rounding`: as that sum plus u·Σ|x|, an error that the additions in another order may have; u is half
/// the arithmetic's spacing at 1.
enum class Sums { as_they_come, with_rounding };

/// Evaluates a body block by block in arithmetic T: double for the reference, float for the studio's own f32
/// evaluation, whose errors show what f32 must cost. Min, max, clamp and row reductions propagate NaN; comparisons with
/// NaN are false. Sums are pairwise, variances are computed in two passes. Holds one block of each node, however long a
/// row is. Not thread safe: use one evaluator for each thread.
template <class T>
class Evaluator {
public:
    /// Columns that are computed at a time.
    static constexpr std::int64_t block_columns = 2048;

    /// Fills `values` with the elements [first, first + values.size()) of input `input`; of a body's contraction, which
    /// is input number `definition.inputs.size()`, with those of its result.
    using Load = std::function<void(int input, std::int64_t first, std::span<T> values)>;
    /// Rounds the values of an operation; sums are rounded once, when they are complete.
    using Round = std::function<void(std::span<T> values)>;

    /// `sizes` must satisfy `space_of`. `definition` and `body` must outlive the evaluator. Where `roundings` is not 0,
    /// each operation is rounded up or down, chosen by this seed; exact results stay exact.
    Evaluator(const Operator& definition, const Body& body, const Sizes& sizes, Load load,
              Sums sums = Sums::as_they_come, std::uint64_t roundings = 0);

    /// From now on every operation's result is rounded before it is used.
    void round_results(Round round) { round_ = std::move(round); }

    /// Computes columns [first, first + count) of row `row` of the space; first is a multiple of `block_columns`, and
    /// count is at most `block_columns`. Reductions of a row are computed once while calls stay in the row.
    void evaluate(std::int64_t row, std::int64_t first, std::int64_t count);

    /// The values of output i in the last block: `count` columns, or one where the output has one value for each row.
    /// Undefined in rows that the output does not have (`RowMap::has`).
    std::span<const T> output(std::size_t i) const;

private:
    struct Block {
        std::int64_t first = -1, count = 0;
    };
    void reduce_row();
    void reduce_level(int depth, bool deviations);
    void enter(Block block);
    void compute(const std::vector<int>& nodes);
    void compute_node(int node);
    void load_input(int node);
    void round_for(int node) const;

    const Operator& definition_;
    const Body& body_;
    Load load_;
    Sums sums_;
    Round round_;
    std::uint64_t roundings_;
    std::int64_t columns_;
    std::int64_t row_ = -1;
    Block block_;
    std::vector<RowMap> input_maps_;             ///< of the inputs that the body reads, and of the contraction
    std::vector<Block> loaded_;                  ///< for each input node: the elements in `values_`
    std::vector<std::vector<T>> values_;         ///< for each node: one value, or a block of values
    std::vector<char> valid_;                    ///< for each node: whether `values_` is of this block
    std::vector<T> means_;                       ///< means of the operands of `row_var`
    std::vector<std::vector<int>> level_nodes_;  ///< for each depth: the nodes that its reductions need, in order
    std::vector<int> output_nodes_;
};

extern template class Evaluator<double>;
extern template class Evaluator<float>;

}  // namespace kernelgen
