// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/lang/attention.h"
#include "core/verify/gradient_lines.h"
#include "core/verify/judge.h"
#include "core/verify/score_tensor.h"

namespace kernelgen {

/// The results of a body's `attention_backward` on a case's inputs, in float64: 64 rows by 64 columns of a head's
/// scores at a time, so that no matrix of scores is held. Blocks of rows give the gradient of the queries, blocks of
/// columns those of keys and values; a block is computed when an element of it is first read, by whichever thread reads
/// it. Safe for several threads.
class AttentionGradients {
public:
    /// The first three arguments must outlive it. Reading throws std::bad_alloc where memory is short: it holds two
    /// numbers for each element of the results.
    AttentionGradients(const Operator& definition, const Body& body, const Case& binding, Elements inputs);
    ~AttentionGradients();

    /// Elements [first, first + values.size()) of a result: 0 is the queries' gradient, 1 the keys', 2 the values'.
    void read(int result, std::int64_t first, std::span<double> values);
    /// The same as the arithmetic of the case may have them: with an error that docs/ATTENTION.md explains. NaN where
    /// kernels may rightly differ: something may overflow, or what a row does not see is not finite.
    void read_rounded(int result, std::int64_t first, std::span<double> values);

private:
    struct Block;
    struct Rows;
    struct Columns;
    struct Pair;
    struct Products;
    struct Score;
    struct Weight;

    template <class Take>
    void each(int result, std::int64_t first, std::int64_t count, const Take& take);
    Block& computed(bool is_of_rows, std::int64_t number);
    void compute_rows(std::int64_t number, Block& block) const;
    void compute_columns(std::int64_t number, Block& block) const;
    void read_rows(std::int64_t head, std::int64_t first, Rows& rows) const;
    void read_columns(std::int64_t kv_head, std::int64_t first, Columns& columns) const;
    bool is_hidden(const Rows& rows, const Columns& columns) const;
    void weigh(const Rows& rows, const Columns& columns, Pair& pair) const;
    void weigh_row(const Rows& rows, const Columns& columns, const Products& products, std::int64_t row,
                   Pair& pair) const;
    Score score(const Products& products, std::size_t at, double bias) const;
    Weight weight_of(const Rows& rows, std::size_t i, const Products& products, std::size_t at, const Score& score,
                     double kept) const;
    bool is_odd_where_hidden(const Rows& rows, std::size_t i, const Products& products, std::size_t at,
                             const Score& score) const;
    double product_error(double product, double magnitude) const;
    bool may_be_infinite(const Operator& definition, const Case& binding) const;
    double largest_of(int input, std::int64_t elements) const;

    const Elements inputs_;
    const Attention attention_;
    const AttentionSizes sizes_;
    const double scale_;
    GradientArithmetic arithmetic_;
    std::optional<ScoreTensor> bias_, mask_;
    std::vector<double> lengths_;
    bool may_be_infinite_ = false;             ///< then no pair of blocks is passed over
    std::int64_t row_blocks_, column_blocks_;  ///< of a head
    std::vector<std::unique_ptr<Block>> of_rows_, of_columns_;
};

}  // namespace kernelgen
