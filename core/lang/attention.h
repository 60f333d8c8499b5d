// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/body.h"
#include "core/lang/convolution.h"

namespace kernelgen {

inline constexpr std::string_view attention_name = "attention";
inline constexpr std::string_view attention_backward_name = "attention_backward";

bool is_attention(std::string_view function);  ///< one of the two

/// The factor of an operand of 8 bits: a number, or an input with one number for the tensor, [1], or with one for each
/// `Attention::scale_block` rows of a head, [B, H, blocks].
struct OperandScale {
    double number = 1;
    int input = -1;           ///< -1: `number`
    std::string blocks = {};  ///< the dimension of blocks of a head; "": the tensor has one scale

    bool is_given() const { return input >= 0 || number != 1; }
    bool is_by_block() const { return !blocks.empty(); }
    bool operator==(const OperandScale&) const = default;
};

/// `out, lse = attention(q, k, v, …)` of a body: softmax(scale · q·kᵀ)·v for each batch and head, of queries
/// [B, H, N, D] with keys and values [B, Hk, M, D]. Head h reads the keys of head h / (H / Hk). docs/ATTENTION.md has
/// the definition. Dimensions are symbols or numbers.
///
/// Or `dq, dk, dv = attention_backward(q, k, v, out, lse, dout, …)`: the gradients of Σ out·dout, from the result and
/// the log-sum-exp of the rows as they are given.
struct Attention {
    int queries = -1, keys = -1, values = -1;  ///< inputs
    int output = -1, lse = -1;                 ///< inputs of `attention_backward`; -1: it is `attention`
    int output_gradient = -1;                  ///< and the third one
    int lengths = -1, bias = -1, mask = -1;    ///< inputs; -1: none
    int block_table = -1;                      ///< an input; -1: keys and values lie in a row
    std::optional<double> scale = {};          ///< nothing: 1 / √D
    bool is_causal = false;                    ///< row i sees columns up to i + M - N
    std::int64_t window_left = -1;             ///< row i sees columns from i + M - N - window_left on; -1: no limit
    std::int64_t window_right = -1;            ///< and up to i + M - N + window_right; -1: no limit
    double dropout = 0;                        ///< the share of the weights that becomes 0; below 1
    std::uint64_t seed = 0;                    ///< of the dropout, at most 2^53
    double softcap = 0;                        ///< c · tanh(x / c) of each scaled product; 0: none
    OperandScale query_scale, key_scale, value_scale;
    std::int64_t scale_block = 128;             ///< rows of a head that share a scale of an operand
    std::string batch, heads, rows, head_size;  ///< B, H, N, D
    std::string kv_heads, columns;              ///< Hk, M; of a paged cache M is an expression, "(T * S)"
    std::string blocks, block_size, places;     ///< of a paged cache: P, S, T

    bool is_backward() const { return output >= 0; }
    std::string_view name() const { return is_backward() ? attention_backward_name : attention_name; }
    /// Column j of batch b is row j % S of block table[b, j / S] of keys and values [P, Hk, S, D].
    bool is_paged() const { return block_table >= 0; }
    Shape result() const { return {batch, heads, rows, head_size}; }
    Shape keys_shape() const { return {batch, kv_heads, columns, head_size}; }
    Shape scores() const { return {batch, heads, rows, columns}; }
    /// The inputs that it reads, in the order above.
    std::vector<int> inputs() const;
    /// The last column that a row may see, as its distance from i + M - N; nothing: no limit.
    std::optional<std::int64_t> last_seen() const;
    /// A weight is dropped where its random word is below this; the others are multiplied by `kept_factor`.
    std::uint32_t dropped_below() const { return static_cast<std::uint32_t>(dropout * 0x1p32); }
    double kept_factor() const { return 1 / (1 - dropout); }
};

struct AttentionSizes {
    std::int64_t batch = 1, heads = 1, rows = 1, head_size = 1, kv_heads = 1, columns = 1;

    std::int64_t kv_head(std::int64_t head) const { return head / (heads / kv_heads); }
};
AttentionSizes sizes_of(const Attention& attention, const Sizes& sizes);
double scale_of(const Attention& attention, const AttentionSizes& sizes);

/// Whether queries, keys and values have an 8-bit floating-point dtype of their own.
bool has_byte_operands(const Operator& definition, const Attention& attention);

/// Columns [first, end) that row i sees by its place; empty where first is not below end. Lengths and masks hide more.
struct SeenColumns {
    std::int64_t first = 0, end = 0;
};
SeenColumns seen_columns(const Attention& attention, const AttentionSizes& sizes, std::int64_t row);
/// Whether the weights of columns 4 · group to 4 · group + 3 of a row are dropped (philox.h).
std::array<bool, 4> are_dropped(const Attention& attention, std::int64_t batch, std::int64_t head, std::int64_t row,
                                std::int64_t group);
/// The columns that all rows of all heads see by their places: the elements of the scores that count as work.
double seen_scores(const Attention& attention, const AttentionSizes& sizes);
/// FLOPs of a seen score and an element of a head: 4, a multiply-add of each of two products; backward 2.5 times that.
double flops_per_score(const Attention& attention);

/// What a body's call computes: the arguments, checked. Nothing after an error.
std::optional<Attention> attention_of_call(const Expression& call, const Operator& definition,
                                           const ReportError& error);

/// Why a case's sizes do not fit; sizes that are not given, or below 1, are not checked.
std::optional<Said> problem_of(const Attention& attention, const Sizes& sizes);
/// What the sizes of the inputs must meet: a dimension, and the expression that it is equal to.
std::vector<DerivedSize> required_sizes(const Attention& attention);
/// Changes the numbers of heads until those of the keys divide those of the queries.
void fit_sizes(const Attention& attention, Sizes& sizes);

/// The result and the log-sum-exp as inputs of a body, in this order; or the gradients of queries, keys and values.
std::vector<Tensor> results_of(const Attention& attention);

}  // namespace kernelgen
