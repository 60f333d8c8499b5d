// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/lang/accumulation.h"
#include "core/lang/attention.h"
#include "core/verify/judge.h"
#include "core/verify/score_tensor.h"

namespace kernelgen {

/// The results of a body's attention on a case's inputs, in float64: blocks of rows, and of each a tile of columns at a
/// time, so that no matrix of scores is held. A block is computed when an element of it is first read, by whichever
/// thread reads it. Safe for several threads.
class AttentionValues {
public:
    /// The first three arguments must outlive it. Reading throws std::bad_alloc where memory is short: it holds the
    /// keys and values of the heads that are being read, and two numbers for each element of the results.
    AttentionValues(const Operator& definition, const Body& body, const Case& binding, Elements inputs);
    ~AttentionValues();

    /// Elements [first, first + values.size()) of a result: 0 is the output, 1 the log-sum-exp.
    void read(int result, std::int64_t first, std::span<double> values);
    /// The same as the arithmetic of the case may have them: with an error that docs/ATTENTION.md explains. NaN where
    /// kernels may rightly differ: a partial sum may overflow, or what a row does not see is not finite.
    void read_rounded(int result, std::int64_t first, std::span<double> values);

private:
    struct Keys;
    struct Block;
    struct Tile;

    template <class Take>
    void each(int result, std::int64_t first, std::int64_t count, const Take& take);
    Block& computed(std::int64_t number);
    Keys& keys_of(std::int64_t batch, std::int64_t kv_head);
    std::int64_t row_of_column(std::int64_t batch, std::int64_t kv_head, std::int64_t column) const;
    void pack_keys(std::int64_t batch, std::int64_t kv_head, Keys& keys) const;
    void compute(std::int64_t number, Block& block);
    void find_largest(const Keys& keys, Block& block, const SeenColumns& seen) const;
    void score(const Keys& keys, Block& block, Tile& tile) const;
    void weigh(const Keys& keys, Block& block, Tile& tile) const;
    void weigh_row(const Keys& keys, Block& block, Tile& tile, std::int64_t row) const;
    void add_values(const Keys& keys, Block& block, Tile& tile) const;
    void finish(const Keys& keys, Block& block) const;
    void finish_row(const Keys& keys, Block& block, std::int64_t row) const;
    void add_infinite(const Keys& keys, Block& block, std::int64_t row) const;
    void read_scores(const ScoreTensor& tensor, const Block& block, std::int64_t row, const Tile& tile,
                     std::vector<double>& values) const;
    double logit_error(double product, double magnitude, double largest, double logit) const;
    double byte_error(const Block& block, std::int64_t row, std::int64_t d) const;
    std::vector<double> scales(const OperandScale& scale, std::int64_t head, std::int64_t rows) const;

    const Elements inputs_;
    const Attention attention_;
    const AttentionSizes sizes_;
    const double scale_;
    double unit_ = 0, most_ = 0;     ///< of the arithmetic: half its spacing at 1, and its largest number
    bool narrow_exponents_ = false;  ///< the arithmetic is f32: products of its numbers are finite in float64
    double narrow_unit_ = 0;         ///< half the spacing of a dtype of 16 bits, in which kernels hold weights; else 0
    /// Of tensor cores that multiply operands of 8 bits, where the definition lets them: weights are in E4M3 then.
    std::optional<AccumulationError> accumulation_;
    std::optional<ScoreTensor> bias_, mask_;
    std::vector<double> lengths_;
    std::vector<double> table_;  ///< of a paged cache, which has `block_count_` blocks of `block_size_` columns
    std::int64_t block_count_ = 0, block_size_ = 0;
    std::int64_t blocks_per_head_;
    std::vector<std::unique_ptr<Keys>> keys_;
    std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace kernelgen
