// SPDX-License-Identifier: Apache-2.0
#include "core/verify/attention_gradients.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/verify/parallel.h"
#include "core/verify/product_kernel.h"

namespace kernelgen {

namespace {

constexpr std::int64_t products_in_group = ProductTile::rows, products_in_strip = ProductTile::columns;

std::int64_t blocks_of(std::int64_t lines) { return (lines + gradient_lines - 1) / gradient_lines; }

GradientArithmetic arithmetic_for(bool is_f64, DType dtype, DType stored) {
    GradientArithmetic made;
    made.is_f32 = !is_f64;
    made.most_stored = largest_finite(stored);
    made.unit = is_f64 ? std::numeric_limits<double>::epsilon() / 2 : std::numeric_limits<float>::epsilon() / 2;
    made.most = is_f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
    if (size_of(dtype) != 2) return made;
    made.narrow_unit = dtype == DType::f16 ? 0x1p-11 : 0x1p-8;
    made.narrow = dtype;
    made.narrow_least = dtype == DType::f16 ? 0x1p-25 : 0;
    made.narrow_most = largest_finite(dtype);
    return made;
}

}  // namespace

/// The gradients of a block of rows, or of a block of columns: those of keys and of values.
struct AttentionGradients::Block {
    std::once_flag once;
    std::vector<double> values[2], errors[2];
};

/// A block of rows of a head.
struct AttentionGradients::Rows {
    std::int64_t batch = 0, head = 0, first = 0, count = 0;
    GradientLines queries, gradients;  ///< `gradients`: of the result
    std::vector<double> lse, delta, delta_magnitude, delta_error;
};

/// A block of columns of a head of the keys.
struct AttentionGradients::Columns {
    std::int64_t first = 0, count = 0;
    GradientLines keys, values;
};

/// A weight, what it may differ by, and the same of its logit's gradient.
struct AttentionGradients::Weight {
    double value = 0, error = 0, gradient = 0, gradient_error = 0;
    bool is_doubted = false;  ///< it may overflow, or is computed with an infinity
};

/// The weights between rows and columns in the orders of both sums, and lines that are doubted.
struct AttentionGradients::Pair {
    GradientWeights by_row;     ///< the logits' gradients, to sum over columns
    GradientWeights by_column;  ///< the same, to sum over rows
    GradientWeights of_values;  ///< the weights of the values, to sum over rows
    bool doubts_row[gradient_lines] = {}, doubts_column[gradient_lines] = {};

    void clear(std::int64_t rows, std::int64_t columns);
    void put(std::int64_t row, std::int64_t column, const Weight& weight, double kept);
};

void AttentionGradients::Pair::clear(std::int64_t rows, std::int64_t columns) {
    by_row.clear(rows);
    by_column.clear(columns);
    of_values.clear(columns);
    std::fill_n(doubts_row, rows, false);
    std::fill_n(doubts_column, columns, false);
}

void AttentionGradients::Pair::put(std::int64_t row, std::int64_t column, const Weight& weight, double kept) {
    const std::size_t in_row = GradientWeights::place(row, column), in_column = GradientWeights::place(column, row);
    by_row.values[in_row] = by_column.values[in_column] = weight.gradient;
    by_row.errors[in_row] = by_column.errors[in_column] = weight.gradient_error;
    of_values.values[in_column] = weight.value * kept;
    of_values.errors[in_column] = weight.error * kept;
    by_row.is_seen[in_row] = by_column.is_seen[in_column] = of_values.is_seen[in_column] = 1;
}

/// q·k and dout·v of a pair of blocks, with the sums of their magnitudes.
struct AttentionGradients::Products {
    static constexpr std::size_t elements = gradient_lines * gradient_lines;
    std::vector<double> scores = std::vector<double>(elements), score_magnitudes = std::vector<double>(elements);
    std::vector<double> weights = std::vector<double>(elements), weight_magnitudes = std::vector<double>(elements);

    static void multiply(const GradientLines& left, const GradientLines& right, std::vector<double>& sums,
                         std::vector<double>& magnitudes) {
        for (std::int64_t strip = 0; strip < right.count; strip += products_in_strip) {
            for (std::int64_t group = 0; group < left.count; group += products_in_group) {
                ProductTile product;
                add_products(left.rows.data() + group * left.size, right.columns.data() + strip * left.size, left.size,
                             product);
                for (std::int64_t i = 0; i < products_in_group; ++i) {
                    const std::int64_t at = (group + i) * gradient_lines + strip;
                    std::copy_n(product.sums[i], products_in_strip, sums.data() + at);
                    std::copy_n(product.magnitudes[i], products_in_strip, magnitudes.data() + at);
                }
            }
        }
    }
};

/// A logit, how much it may differ, and its derivative by the scaled product.
struct AttentionGradients::Score {
    double logit = 0, error = 0, slope = 1, slope_error = 0;
    bool may_overflow = false;
};

AttentionGradients::AttentionGradients(const Operator& definition, const Body& body, const Case& binding,
                                       Elements inputs)
    : inputs_(std::move(inputs)),
      attention_(*body.attention),
      sizes_(sizes_of(attention_, binding.sizes)),
      scale_(scale_of(attention_, sizes_)),
      arithmetic_(arithmetic_for(arithmetic_of(definition, binding) == DType::f64,
                                 dtype_of(definition.inputs[static_cast<std::size_t>(attention_.queries)], binding),
                                 binding.dtype)),
      row_blocks_(blocks_of(sizes_.rows)),
      column_blocks_(blocks_of(sizes_.columns)) {
    if (attention_.bias >= 0) bias_ = score_tensor(definition, sizes_, attention_.bias);
    if (attention_.mask >= 0) mask_ = score_tensor(definition, sizes_, attention_.mask);
    if (attention_.lengths >= 0) {
        lengths_.resize(static_cast<std::size_t>(sizes_.batch));
        inputs_(attention_.lengths, 0, lengths_);
    }
    may_be_infinite_ = may_be_infinite(definition, binding);
    const auto make = [](std::vector<std::unique_ptr<Block>>& blocks, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) blocks.push_back(std::make_unique<Block>());
    };
    make(of_rows_, sizes_.batch * sizes_.heads * row_blocks_);
    make(of_columns_, sizes_.batch * sizes_.kv_heads * column_blocks_);
}

AttentionGradients::~AttentionGradients() = default;

/// The largest magnitude of an input; infinite where an element is not finite.
double AttentionGradients::largest_of(int input, std::int64_t elements) const {
    constexpr std::int64_t step = 1 << 14;
    std::atomic<double> most = 0;
    Claims claims(elements, step, {});
    on_all_cores(claims, [&](Claims& mine) {
        std::vector<double> values;
        while (const std::optional<Range> claim = mine.next()) {
            values.resize(static_cast<std::size_t>(claim->end - claim->first));
            inputs_(input, claim->first, values);
            double largest = 0;
            for (const double value : values)
                largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : INFINITY;
            for (double seen = most; seen < largest && !most.compare_exchange_weak(seen, largest);) {
            }
        }
    });
    return most;
}

/// Whether a weight may be computed with what is not finite: an input, or a product that overflows.
bool AttentionGradients::may_be_infinite(const Operator& definition, const Case& binding) const {
    const auto largest = [&](int input) {
        return largest_of(input, *element_count(definition.inputs[static_cast<std::size_t>(input)], binding.sizes));
    };
    const auto depth = static_cast<double>(sizes_.head_size);
    const double product = depth * largest(attention_.queries) * largest(attention_.keys);
    const double gradient = depth * largest(attention_.output_gradient) *
                            (largest(attention_.values) * attention_.kept_factor() + largest(attention_.output));
    const double bias = attention_.bias >= 0 ? largest(attention_.bias) : 0;
    return !(product * std::max(1.0, 2 * std::abs(scale_)) < arithmetic_.most && gradient < arithmetic_.most &&
             std::isfinite(bias) && std::isfinite(largest(attention_.lse)));
}

template <class Take>
void AttentionGradients::each(int result, std::int64_t first, std::int64_t count, const Take& take) {
    const std::int64_t width = sizes_.head_size, lines = result == 0 ? sizes_.rows : sizes_.columns;
    const std::int64_t blocks = result == 0 ? row_blocks_ : column_blocks_;
    for (std::int64_t i = 0; i < count;) {
        const std::int64_t line = (first + i) / width, element = (first + i) % width;
        const std::int64_t head = line / lines, place = line % lines;
        const Block& block = computed(result == 0, head * blocks + place / gradient_lines);
        const std::int64_t end = std::min(count, i + width - element);
        for (std::int64_t at = place % gradient_lines * width + element; i < end; ++i, ++at)
            take(static_cast<std::size_t>(i), block, static_cast<std::size_t>(at));
    }
}

void AttentionGradients::read(int result, std::int64_t first, std::span<double> values) {
    const int which = result == 2 ? 1 : 0;
    each(result, first, static_cast<std::int64_t>(values.size()),
         [&](std::size_t i, const Block& block, std::size_t at) { values[i] = block.values[which][at]; });
}

void AttentionGradients::read_rounded(int result, std::int64_t first, std::span<double> values) {
    const int which = result == 2 ? 1 : 0;
    each(result, first, static_cast<std::int64_t>(values.size()),
         [&](std::size_t i, const Block& block, std::size_t at) {
             values[i] = block.values[which][at] + block.errors[which][at];
         });
}

AttentionGradients::Block& AttentionGradients::computed(bool is_of_rows, std::int64_t number) {
    Block& block = *(is_of_rows ? of_rows_ : of_columns_)[static_cast<std::size_t>(number)];
    std::call_once(block.once, [&] { is_of_rows ? compute_rows(number, block) : compute_columns(number, block); });
    return block;
}

void AttentionGradients::read_rows(std::int64_t head, std::int64_t first, Rows& rows) const {
    const std::int64_t line = head * sizes_.rows + first, size = sizes_.head_size;
    rows.batch = head / sizes_.heads;
    rows.head = head % sizes_.heads;
    rows.first = first;
    rows.count = std::min(gradient_lines, sizes_.rows - first);
    rows.queries.read(inputs_, attention_.queries, line, rows.count, size);
    const auto count = static_cast<std::size_t>(rows.count), width = static_cast<std::size_t>(size);
    std::vector<double> output(count * width), gradient(output.size());
    inputs_(attention_.output, line * size, output);
    inputs_(attention_.output_gradient, line * size, gradient);
    rows.gradients.take(gradient, rows.count, size);
    rows.lse.resize(count);
    inputs_(attention_.lse, line, rows.lse);
    rows.delta.assign(count, 0);
    rows.delta_magnitude.assign(count, 0);
    rows.delta_error.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        double& magnitude = rows.delta_magnitude[i];
        for (std::size_t at = i * width; at < (i + 1) * width; ++at) {
            rows.delta[i] += output[at] * gradient[at];
            magnitude += std::abs(output[at] * gradient[at]);
        }
        rows.delta_error[i] = product_error(rows.delta[i], magnitude);
    }
}

void AttentionGradients::read_columns(std::int64_t kv_head, std::int64_t first, Columns& columns) const {
    const std::int64_t line = kv_head * sizes_.columns + first;
    columns.first = first;
    columns.count = std::min(gradient_lines, sizes_.columns - first);
    columns.keys.read(inputs_, attention_.keys, line, columns.count, sizes_.head_size);
    columns.values.read(inputs_, attention_.values, line, columns.count, sizes_.head_size);
}

/// Whether no row sees a column, by their places and the batch's length.
bool AttentionGradients::is_hidden(const Rows& rows, const Columns& columns) const {
    const SeenColumns first = seen_columns(attention_, sizes_, rows.first),
                      last = seen_columns(attention_, sizes_, rows.first + rows.count - 1);
    const double length = lengths_.empty() ? INFINITY : lengths_[static_cast<std::size_t>(rows.batch)];
    return columns.first + columns.count <= first.first || columns.first >= last.end ||
           static_cast<double>(columns.first) >= length;
}

void AttentionGradients::compute_rows(std::int64_t number, Block& block) const {
    const std::int64_t head = number / row_blocks_;
    const std::int64_t kv_head = head / sizes_.heads * sizes_.kv_heads + sizes_.kv_head(head % sizes_.heads);
    Rows rows;
    read_rows(head, number % row_blocks_ * gradient_lines, rows);
    GradientSums sums(rows.count, sizes_.head_size, arithmetic_);
    Columns columns;
    thread_local Pair pair;
    for (std::int64_t first = 0; first < sizes_.columns; first += gradient_lines) {
        columns.first = first;
        columns.count = std::min(gradient_lines, sizes_.columns - first);
        if (!may_be_infinite_ && is_hidden(rows, columns)) continue;
        read_columns(kv_head, first, columns);
        weigh(rows, columns, pair);
        sums.add(pair.by_row, columns.keys);
        for (std::int64_t i = 0; i < rows.count; ++i)
            if (pair.doubts_row[i]) sums.doubt(i);
    }
    sums.finish(scale_, block.values[0], block.errors[0]);
}

void AttentionGradients::compute_columns(std::int64_t number, Block& block) const {
    const std::int64_t kv_head = number / column_blocks_, group = sizes_.heads / sizes_.kv_heads;
    Columns columns;
    read_columns(kv_head, number % column_blocks_ * gradient_lines, columns);
    GradientSums keys(columns.count, sizes_.head_size, arithmetic_),
        values(columns.count, sizes_.head_size, arithmetic_);
    Rows rows;
    thread_local Pair pair;
    for (std::int64_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
        for (std::int64_t first = 0; first < sizes_.rows; first += gradient_lines) {
            rows.batch = head / sizes_.heads;
            rows.first = first;
            rows.count = std::min(gradient_lines, sizes_.rows - first);
            if (!may_be_infinite_ && is_hidden(rows, columns)) continue;
            read_rows(head, first, rows);
            weigh(rows, columns, pair);
            keys.add(pair.by_column, rows.queries);
            values.add(pair.of_values, rows.gradients);
            for (std::int64_t j = 0; j < columns.count; ++j) {
                if (!pair.doubts_column[j]) continue;
                keys.doubt(j);
                values.doubt(j);
            }
        }
    }
    keys.finish(scale_, block.values[0], block.errors[0]);
    values.finish(1, block.values[1], block.errors[1]);
}

void AttentionGradients::weigh(const Rows& rows, const Columns& columns, Pair& pair) const {
    thread_local Products products;
    Products::multiply(rows.queries, columns.keys, products.scores, products.score_magnitudes);
    Products::multiply(rows.gradients, columns.values, products.weights, products.weight_magnitudes);
    pair.clear(rows.count, columns.count);
    for (std::int64_t row = 0; row < rows.count; ++row) weigh_row(rows, columns, products, row, pair);
}

/// How much a product of lines may differ in the arithmetic: the order of addition, and what tensor cores cut off.
double AttentionGradients::product_error(double product, double magnitude) const {
    const auto depth = static_cast<double>(sizes_.head_size);
    double error = magnitude + std::abs(product) * (std::sqrt(depth) / 3 + 3);
    if (arithmetic_.narrow_unit != 0) error += std::ceil(depth / products_added_together) * magnitude;
    return arithmetic_.unit * error;
}

AttentionGradients::Score AttentionGradients::score(const Products& products, std::size_t at, double bias) const {
    const double product = products.scores[at], magnitude = products.score_magnitudes[at];
    const double scaled = product * scale_, moved = std::abs(scale_) * product_error(product, magnitude);
    Score score{.logit = scaled};
    if (attention_.softcap > 0) {
        const double share = std::tanh(scaled / attention_.softcap);
        score.logit = attention_.softcap * share;
        score.slope = 1 - share * share;
        score.slope_error = arithmetic_.unit * (8 * std::abs(share) + 4) +
                            std::min(1.0, 2 * std::abs(share) * score.slope * moved / attention_.softcap);
    }
    const double capped = std::abs(score.logit);
    score.logit += bias;
    score.error = moved + arithmetic_.unit * (3 * (std::abs(score.logit) + capped) + 4);
    score.may_overflow = !(magnitude * std::max(1.0, 2 * std::abs(scale_)) < arithmetic_.most);
    return score;
}

/// Of row `i` and a column, whose products are at `at`; `kept`: 0 where it is dropped, else the factor of the others.
AttentionGradients::Weight AttentionGradients::weight_of(const Rows& rows, std::size_t i, const Products& products,
                                                         std::size_t at, const Score& score, double kept) const {
    const double lse = rows.lse[i], delta = rows.delta[i], product = products.weights[at], unit = arithmetic_.unit;
    Weight weight;
    weight.value = std::exp(score.logit - lse);
    const double error = score.error + 2 * unit * std::abs(lse);
    weight.error = error < 1e-6 ? weight.value * error
                                : (std::exp(std::min(score.logit - lse + 2 * error, 700.0)) - weight.value) / 2;
    const double difference = kept * product - delta;
    const double difference_error = kept * product_error(product, products.weight_magnitudes[at]) +
                                    rows.delta_error[i] + unit * (2 * std::abs(kept * product) + std::abs(delta));
    weight.gradient = weight.value * difference * score.slope;
    weight.gradient_error = weight.error * std::abs(difference) * score.slope +
                            (weight.value + weight.error) * (difference_error * (score.slope + score.slope_error) +
                                                             std::abs(difference) * score.slope_error) +
                            3 * unit * std::abs(weight.gradient);
    const double most = arithmetic_.narrow_most != 0 ? 0.99 * arithmetic_.narrow_most : arithmetic_.most;
    const auto may_overflow = [&](double value) { return !(std::abs(value) < most) && !std::isnan(value); };
    const double magnitude = products.weight_magnitudes[at] * attention_.kept_factor() + rows.delta_magnitude[i];
    weight.is_doubted = may_overflow(weight.value * std::max(kept, 1.0)) || may_overflow(weight.gradient) ||
                        std::isinf(score.logit) || std::isinf(lse) ||
                        (score.may_overflow && !std::isnan(score.logit)) ||
                        (!(magnitude < arithmetic_.most) && !std::isnan(difference));
    return weight;
}

/// Whether kernels may have NaN for a weight that is hidden: some multiply by 0, others choose.
bool AttentionGradients::is_odd_where_hidden(const Rows& rows, std::size_t i, const Products& products, std::size_t at,
                                             const Score& score) const {
    const double magnitude = products.weight_magnitudes[at] * attention_.kept_factor() + rows.delta_magnitude[i];
    const bool is_plain_lse = std::isfinite(rows.lse[i]) || rows.lse[i] == -INFINITY;    // -inf: the row sees nothing
    const bool is_plain_logit = std::isfinite(score.logit) || score.logit == -INFINITY;  // -inf: as a bias hides it
    return !(magnitude < arithmetic_.most) || !is_plain_logit || score.may_overflow || !is_plain_lse;
}

/// The weights of a row and their gradients. A hidden one is 0.
void AttentionGradients::weigh_row(const Rows& rows, const Columns& columns, const Products& products, std::int64_t row,
                                   Pair& pair) const {
    const auto i = static_cast<std::size_t>(row), count = static_cast<std::size_t>(columns.count);
    const SeenColumns seen = seen_columns(attention_, sizes_, rows.first + row);
    const double length = lengths_.empty() ? INFINITY : lengths_[static_cast<std::size_t>(rows.batch)];
    const ScoreRow of{rows.batch, rows.head, rows.first + row};
    std::array<double, gradient_lines> bias{}, mask{};
    if (bias_) bias_->read(inputs_, of, columns.first, std::span(bias).first(count));
    if (mask_) mask_->read(inputs_, of, columns.first, std::span(mask).first(count));
    std::array<bool, 4> dropped{};
    for (std::size_t column = 0; column < count; ++column) {
        const std::size_t at = i * gradient_lines + column;
        const std::int64_t j = columns.first + static_cast<std::int64_t>(column);
        if (attention_.dropout > 0 && (column == 0 || j % 4 == 0))
            dropped = are_dropped(attention_, rows.batch, rows.head, rows.first + row, j / 4);
        const Score score = this->score(products, at, bias[column]);
        const bool is_seen = j >= seen.first && j < seen.end && static_cast<double>(j) < length &&
                             (!mask_ || mask[column] != 0) && score.logit != -INFINITY;
        if (is_seen) {
            const double kept = dropped[static_cast<std::size_t>(j % 4)] ? 0 : attention_.kept_factor();
            const Weight weight = weight_of(rows, i, products, at, score, kept);
            pair.put(row, static_cast<std::int64_t>(column), weight, kept);
            if (!weight.is_doubted) continue;
        } else if (!is_odd_where_hidden(rows, i, products, at, score)) {
            continue;
        }
        pair.doubts_row[row] = pair.doubts_column[column] = true;
    }
}

}  // namespace kernelgen
