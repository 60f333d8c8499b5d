// SPDX-License-Identifier: Apache-2.0
#include "core/verify/attention_values.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/verify/coarse_sums.h"
#include "core/verify/product_kernel.h"

namespace kernelgen {

namespace {

constexpr std::int64_t group_rows = ProductTile::rows, strip_columns = ProductTile::columns;
constexpr std::int64_t rows_of_block = 64;
constexpr std::int64_t columns_of_tile = 512;
constexpr double unjudged = std::numeric_limits<double>::quiet_NaN();
constexpr double unlimited = std::numeric_limits<double>::infinity();
/// Of weights in E4M3, times 2^8 relative to a row's largest so far: half the spacing at 1, and what a small one may
/// miss.
constexpr double byte_unit = 0x1p-4, byte_floor = 0x1p-18;

bool are_finite(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double each) { return std::isfinite(each); });
}

std::int64_t in_units(std::int64_t count, std::int64_t unit) { return (count + unit - 1) / unit; }

}  // namespace

/// Keys and values of a head in the order in which `add_products` reads them: strips of 16 columns of kᵀ, and of v.
struct AttentionValues::Keys {
    std::once_flag once;
    std::atomic<std::int64_t> left = 0;         ///< blocks that have not read them yet
    std::vector<double> keys, values, largest;  ///< the largest element of each key
    bool has_infinite_keys = false;
    std::vector<std::int64_t> infinite;   ///< columns with a value that is not finite, which is 0 in `values`
    std::vector<double> infinite_values;  ///< the values of each of them
};

/// A block of rows of a head.
struct AttentionValues::Block {
    std::once_flag once;
    std::int64_t batch = 0, head = 0, first = 0, rows = 0;
    std::vector<double> queries;                        ///< groups of 4 rows
    std::vector<double> largest_query;                  ///< element of each row
    std::vector<double> sums, magnitudes, shifts;       ///< of each row and element: Σ p·v, Σ p·|v|, Σ δp·|v|
    std::vector<double> squared_sums;                   ///< and, for weights in E4M3, Σ p²·v²
    std::vector<double> most, total, squares, shifted;  ///< of each row: the largest logit, Σ p, Σ p², Σ δp
    std::vector<double> largest;                        ///< finite |v| of each element, of the columns that it sees
    std::int64_t seen_columns = 0;                      ///< that any row may see, by place and length
    std::vector<char> is_not_judged;                    ///< of each row
    std::vector<char> sees_infinite_only;               ///< of each row: it sees columns, in a tile only logits of -inf
    std::vector<double> infinite_logits;                ///< of each row and column of Keys::infinite
    std::vector<double> output, output_error, lse, lse_error;
};

/// Columns [first, first + count) of a block's scores.
struct AttentionValues::Tile {
    std::int64_t first = 0, count = 0;
    std::vector<double> products, magnitudes;  ///< rows of `columns_of_tile`
    std::vector<double> weights, shifts;       ///< groups of 4 rows: p and its error
    std::vector<double> squares;               ///< and p², for weights in E4M3
    std::vector<double> bias, mask;            ///< of a row
};

AttentionValues::AttentionValues(const Operator& definition, const Body& body, const Case& binding, Elements inputs)
    : inputs_(std::move(inputs)),
      attention_(*body.attention),
      sizes_(sizes_of(attention_, binding.sizes)),
      scale_(scale_of(attention_, sizes_)),
      blocks_per_head_(in_units(sizes_.rows, rows_of_block)) {
    const bool is_f64 = arithmetic_of(definition, binding) == DType::f64;
    unit_ = is_f64 ? std::numeric_limits<double>::epsilon() / 2 : std::numeric_limits<float>::epsilon() / 2;
    narrow_exponents_ = !is_f64;
    most_ = is_f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
    const DType dtype = dtype_of(definition.inputs[static_cast<std::size_t>(attention_.values)], binding);
    if (size_of(dtype) == 2) narrow_unit_ = dtype == DType::f16 ? 0x1p-11 : 0x1p-8;
    if (definition.accumulate && !is_f64) accumulation_ = error_of(*definition.accumulate);
    if (attention_.bias >= 0) bias_ = score_tensor(definition, sizes_, attention_.bias);
    if (attention_.mask >= 0) mask_ = score_tensor(definition, sizes_, attention_.mask);
    if (attention_.lengths >= 0) {
        lengths_.resize(static_cast<std::size_t>(sizes_.batch));
        inputs_(attention_.lengths, 0, lengths_);
    }
    if (attention_.is_paged()) {
        const std::vector<std::int64_t> keys =
            extents(definition.inputs[static_cast<std::size_t>(attention_.keys)], binding.sizes);
        block_count_ = keys[0], block_size_ = keys[2];
        table_.resize(static_cast<std::size_t>(sizes_.batch * sizes_.columns / block_size_));
        inputs_(attention_.block_table, 0, table_);
    }
    for (std::int64_t i = 0; i < sizes_.batch * sizes_.kv_heads; ++i) {
        keys_.push_back(std::make_unique<Keys>());
        keys_.back()->left = sizes_.heads / sizes_.kv_heads * blocks_per_head_;
    }
    for (std::int64_t i = 0; i < sizes_.batch * sizes_.heads * blocks_per_head_; ++i)
        blocks_.push_back(std::make_unique<Block>());
}

AttentionValues::~AttentionValues() = default;

template <class Take>
void AttentionValues::each(int result, std::int64_t first, std::int64_t count, const Take& take) {
    const std::int64_t width = result == 0 ? sizes_.head_size : 1;
    for (std::int64_t i = 0; i < count;) {
        const std::int64_t line = (first + i) / width, column = (first + i) % width;
        const std::int64_t head = line / sizes_.rows, row = line % sizes_.rows;
        const Block& block = computed(head * blocks_per_head_ + row / rows_of_block);
        const std::int64_t at = row % rows_of_block * width + column, end = std::min(count, i + width - column);
        for (std::int64_t j = at; i < end; ++i, ++j)
            take(static_cast<std::size_t>(i), block, static_cast<std::size_t>(j));
    }
}

void AttentionValues::read(int result, std::int64_t first, std::span<double> values) {
    each(result, first, static_cast<std::int64_t>(values.size()),
         [&](std::size_t i, const Block& block, std::size_t at) {
             values[i] = (result == 0 ? block.output : block.lse)[at];
         });
}

void AttentionValues::read_rounded(int result, std::int64_t first, std::span<double> values) {
    each(result, first, static_cast<std::int64_t>(values.size()),
         [&](std::size_t i, const Block& block, std::size_t at) {
             values[i] = result == 0 ? block.output[at] + block.output_error[at] : block.lse[at] + block.lse_error[at];
         });
}

AttentionValues::Block& AttentionValues::computed(std::int64_t number) {
    Block& block = *blocks_[static_cast<std::size_t>(number)];
    std::call_once(block.once, [&] { compute(number, block); });
    return block;
}

AttentionValues::Keys& AttentionValues::keys_of(std::int64_t batch, std::int64_t kv_head) {
    Keys& keys = *keys_[static_cast<std::size_t>(batch * sizes_.kv_heads + kv_head)];
    std::call_once(keys.once, [&] { pack_keys(batch, kv_head, keys); });
    return keys;
}

/// Where the keys, or values, of a column lie among all rows. A block's number is within the blocks that exist.
std::int64_t AttentionValues::row_of_column(std::int64_t batch, std::int64_t kv_head, std::int64_t column) const {
    if (table_.empty()) return (batch * sizes_.kv_heads + kv_head) * sizes_.columns + column;
    const auto place = static_cast<std::size_t>((batch * sizes_.columns + column) / block_size_);
    const auto block = static_cast<std::int64_t>(std::clamp(table_[place], 0.0, static_cast<double>(block_count_ - 1)));
    return (block * sizes_.kv_heads + kv_head) * block_size_ + column % block_size_;
}

/// The scale of each row of a head: it is number `head` of all of the batch.
std::vector<double> AttentionValues::scales(const OperandScale& scale, std::int64_t head, std::int64_t rows) const {
    std::vector<double> all(static_cast<std::size_t>(rows), scale.number);
    if (scale.input < 0) return all;
    const std::int64_t block = scale.is_by_block() ? attention_.scale_block : rows, blocks = in_units(rows, block);
    std::vector<double> of_blocks(static_cast<std::size_t>(blocks));
    inputs_(scale.input, scale.is_by_block() ? head * blocks : 0, of_blocks);
    for (std::int64_t i = 0; i < rows; ++i)
        all[static_cast<std::size_t>(i)] = of_blocks[static_cast<std::size_t>(i / block)];
    return all;
}

void AttentionValues::pack_keys(std::int64_t batch, std::int64_t kv_head, Keys& keys) const {
    const std::int64_t size = sizes_.head_size, columns = sizes_.columns;
    keys.keys.resize(static_cast<std::size_t>(in_units(columns, strip_columns) * strip_columns * size));
    keys.values.resize(static_cast<std::size_t>(in_units(size, strip_columns) * strip_columns * columns));
    keys.infinite.clear();
    keys.infinite_values.clear();
    keys.largest.assign(static_cast<std::size_t>(columns), 0);
    const std::int64_t head = batch * sizes_.kv_heads + kv_head;
    const std::vector<double> key_scales = scales(attention_.key_scale, head, columns),
                              value_scales = scales(attention_.value_scale, head, columns);
    std::vector<double> key(static_cast<std::size_t>(size)), value(key.size());
    for (std::int64_t j = 0; j < columns; ++j) {
        const std::int64_t first = row_of_column(batch, kv_head, j) * size;
        const auto column = static_cast<std::size_t>(j);
        inputs_(attention_.keys, first, key);
        inputs_(attention_.values, first, value);
        for (double& each : key) each *= key_scales[column];
        for (double& each : value) each *= value_scales[column];
        for (const double each : key) keys.largest[column] = std::max(keys.largest[column], std::abs(each));
        keys.has_infinite_keys |= !are_finite(key);
        if (!are_finite(value)) {
            keys.infinite.push_back(j);
            keys.infinite_values.insert(keys.infinite_values.end(), value.begin(), value.end());
        }
        for (std::int64_t d = 0; d < size; ++d) {
            const auto at = static_cast<std::size_t>(d);
            if (!std::isfinite(value[at])) value[at] = 0;
            keys.keys[static_cast<std::size_t>((j / strip_columns * size + d) * strip_columns + j % strip_columns)] =
                key[at];
            keys.values[static_cast<std::size_t>((d / strip_columns * columns + j) * strip_columns +
                                                 d % strip_columns)] = value[at];
        }
    }
}

void AttentionValues::compute(std::int64_t number, Block& block) {
    const std::int64_t head = number / blocks_per_head_, size = sizes_.head_size;
    block.batch = head / sizes_.heads;
    block.head = head % sizes_.heads;
    block.first = number % blocks_per_head_ * rows_of_block;
    block.rows = std::min(rows_of_block, sizes_.rows - block.first);
    Keys& keys = keys_of(block.batch, sizes_.kv_head(block.head));
    const auto rows = static_cast<std::size_t>(in_units(block.rows, group_rows) * group_rows);
    block.queries.resize(rows * static_cast<std::size_t>(size));
    block.largest_query.assign(rows, 0);
    const std::vector<double> query_scales = scales(attention_.query_scale, head, sizes_.rows);
    std::vector<double> query(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < block.rows; ++i) {
        inputs_(attention_.queries, (head * sizes_.rows + block.first + i) * size, query);
        double& largest = block.largest_query[static_cast<std::size_t>(i)];
        for (double& each : query) {
            each *= query_scales[static_cast<std::size_t>(block.first + i)];
            largest = std::max(largest, std::abs(each));
        }
        for (std::int64_t d = 0; d < size; ++d)
            block.queries[static_cast<std::size_t>((i / group_rows * size + d) * group_rows + i % group_rows)] =
                query[static_cast<std::size_t>(d)];
    }
    for (auto* each : {&block.sums, &block.magnitudes, &block.shifts, &block.squared_sums})
        each->assign(rows * query.size(), 0);
    for (auto* each : {&block.total, &block.squares, &block.shifted}) each->assign(rows, 0);
    block.most.assign(rows, -unlimited);
    block.is_not_judged.assign(rows, 0);
    block.sees_infinite_only.assign(rows, 0);
    block.infinite_logits.assign(rows * keys.infinite.size(), -unlimited);

    SeenColumns seen{sizes_.columns, 0};
    for (std::int64_t i = 0; i < block.rows; ++i) {
        const SeenColumns of_row = seen_columns(attention_, sizes_, block.first + i);
        if (of_row.first >= of_row.end) continue;
        seen = {std::min(seen.first, of_row.first), std::max(seen.end, of_row.end)};
    }
    Tile tile;
    for (auto* each : {&tile.products, &tile.magnitudes, &tile.weights, &tile.shifts, &tile.squares})
        each->resize(rows * static_cast<std::size_t>(columns_of_tile));
    find_largest(keys, block, seen);
    // Columns that are hidden by place are passed over but where they may not be judged.
    if (keys.has_infinite_keys) seen = {0, sizes_.columns};
    for (tile.first = seen.first / columns_of_tile * columns_of_tile; tile.first < seen.end;
         tile.first += columns_of_tile) {
        tile.count = std::min(columns_of_tile, sizes_.columns - tile.first);
        score(keys, block, tile);
        weigh(keys, block, tile);
        add_values(keys, block, tile);
    }
    finish(keys, block);
    if (--keys.left == 0) keys.keys = keys.values = {};
}

/// The largest value that the rows of a block may see, of each element: errors of weights cannot move a sum further.
void AttentionValues::find_largest(const Keys& keys, Block& block, const SeenColumns& seen) const {
    const double length = lengths_.empty() ? unlimited : lengths_[static_cast<std::size_t>(block.batch)];
    const auto end = static_cast<std::int64_t>(std::clamp(length, 0.0, static_cast<double>(seen.end)));
    block.seen_columns = std::max<std::int64_t>(end - seen.first, 0);
    block.largest.assign(static_cast<std::size_t>(sizes_.head_size), 0);
    for (std::int64_t d = 0; d < sizes_.head_size; ++d) {
        const double* const values =
            keys.values.data() + d / strip_columns * sizes_.columns * strip_columns + d % strip_columns;
        double& largest = block.largest[static_cast<std::size_t>(d)];
        for (std::int64_t j = seen.first; j < end; ++j)
            largest = std::max(largest, std::abs(values[j * strip_columns]));
    }
}

/// q·k and Σ|q·k| of the tile.
void AttentionValues::score(const Keys& keys, Block& block, Tile& tile) const {
    const std::int64_t size = sizes_.head_size;
    for (std::int64_t column = 0; column < tile.count; column += strip_columns) {
        const double* const strip = keys.keys.data() + (tile.first + column) * size;
        for (std::int64_t group = 0; group * group_rows < block.rows; ++group) {
            ProductTile product;
            add_products(block.queries.data() + group * group_rows * size, strip, size, product);
            for (std::int64_t i = 0; i < group_rows; ++i) {
                const std::int64_t at = (group * group_rows + i) * columns_of_tile + column;
                std::copy_n(product.sums[i], strip_columns, tile.products.data() + at);
                std::copy_n(product.magnitudes[i], strip_columns, tile.magnitudes.data() + at);
            }
        }
    }
}

void AttentionValues::read_scores(const ScoreTensor& tensor, const Block& block, std::int64_t row, const Tile& tile,
                                  std::vector<double>& values) const {
    values.resize(static_cast<std::size_t>(tile.count));
    tensor.read(inputs_, {block.batch, block.head, block.first + row}, tile.first, values);
}

/// How much a logit may differ in the arithmetic: the order of addition (as of any product, contraction_values.cpp),
/// what tensor cores cut off, and the roundings of the scale, the soft cap, the factor of exp2 and exp itself.
/// `largest` is at least the largest product of two elements.
double AttentionValues::logit_error(double product, double magnitude, double largest, double logit) const {
    const auto depth = static_cast<double>(sizes_.head_size);
    double error = magnitude + std::abs(product) * (std::sqrt(depth) / 3 + 3);
    if (narrow_unit_ != 0) error += std::ceil(depth / products_added_together) * magnitude;
    const double coarse = accumulation_ ? error_of_coarse_sum(*accumulation_, depth, product, magnitude, largest) : 0;
    return unit_ * (std::abs(scale_) * error + 3 * std::abs(logit) + 4) + std::abs(scale_) * coarse;
}

void AttentionValues::weigh(const Keys& keys, Block& block, Tile& tile) const {
    std::ranges::fill(tile.weights, 0.0);
    std::ranges::fill(tile.shifts, 0.0);
    for (std::int64_t row = 0; row < block.rows; ++row) weigh_row(keys, block, tile, row);
}

/// Turns a row's products into weights relative to its largest logit so far, and scales what was added before.
void AttentionValues::weigh_row(const Keys& keys, Block& block, Tile& tile, std::int64_t row) const {
    const auto i = static_cast<std::size_t>(row);
    const SeenColumns seen = seen_columns(attention_, sizes_, block.first + row);
    const double length = lengths_.empty() ? unlimited : lengths_[static_cast<std::size_t>(block.batch)];
    if (bias_) read_scores(*bias_, block, row, tile, tile.bias);
    if (mask_) read_scores(*mask_, block, row, tile, tile.mask);
    double* const logits = tile.products.data() + row * columns_of_tile;
    double* const errors = tile.magnitudes.data() + row * columns_of_tile;
    double most = block.most[i];
    bool sees_any = false;
    for (std::int64_t column = 0; column < tile.count; ++column) {
        const std::int64_t j = tile.first + column;
        const double product = logits[column], magnitude = errors[column];
        double logit = product * scale_;
        if (attention_.softcap > 0) logit = attention_.softcap * std::tanh(logit / attention_.softcap);
        const double capped = logit;
        if (bias_) logit += tile.bias[static_cast<std::size_t>(column)];
        const bool is_seen = j >= seen.first && j < seen.end && static_cast<double>(j) < length &&
                             (!mask_ || tile.mask[static_cast<std::size_t>(column)] != 0);
        // A kernel may add -inf to a logit that is hidden: NaN stays NaN.
        const bool may_overflow = !(magnitude * std::max(1.0, 2 * std::abs(scale_)) < most_);
        const bool is_infinite = std::isinf(magnitude) && narrow_exponents_;
        const bool is_odd =
            is_seen ? may_overflow && !is_infinite && !std::isnan(logit) : may_overflow || std::isnan(logit);
        if (is_odd) block.is_not_judged[i] = 1;
        const double largest = block.largest_query[i] * keys.largest[static_cast<std::size_t>(j)];
        errors[column] = is_seen ? logit_error(product, magnitude, largest, std::abs(logit) + std::abs(capped)) : 0;
        logits[column] = is_seen ? logit : -unlimited;
        sees_any |= is_seen;
        if (!std::isnan(most) && !(logits[column] <= most)) most = logits[column];
    }
    for (std::size_t n = 0; n < keys.infinite.size(); ++n) {
        const std::int64_t column = keys.infinite[n] - tile.first;
        if (column >= 0 && column < tile.count) block.infinite_logits[i * keys.infinite.size() + n] = logits[column];
    }
    if (most == -unlimited) {
        block.sees_infinite_only[i] |= static_cast<char>(sees_any);
        return;
    }
    const double kept = block.most[i] == -unlimited ? 0 : std::exp(block.most[i] - most);
    block.most[i] = most;
    const std::int64_t size = sizes_.head_size;
    if (kept != 1) {
        for (std::int64_t d = 0; d < size; ++d) {
            const auto at = static_cast<std::size_t>(row * size + d);
            for (auto* each : {&block.sums, &block.magnitudes, &block.shifts}) (*each)[at] *= kept;
            block.squared_sums[at] *= kept * kept;
        }
        block.total[i] *= kept;
        block.shifted[i] *= kept;
        block.squares[i] *= kept * kept;
    }
    double* const weights = tile.weights.data() + row / group_rows * columns_of_tile * group_rows + row % group_rows;
    double* const shifts = tile.shifts.data() + row / group_rows * columns_of_tile * group_rows + row % group_rows;
    std::int64_t group = -1;
    std::array<bool, 4> dropped{};
    for (std::int64_t column = 0; column < tile.count; ++column) {
        if (logits[column] == -unlimited) continue;
        const double error = errors[column] + 2 * unit_ * std::abs(most);
        const std::int64_t j = tile.first + column;
        if (attention_.dropout > 0 && j / 4 != group) {
            group = j / 4;
            dropped = are_dropped(attention_, block.batch, block.head, block.first + row, group);
        }
        const double kept_factor = dropped[static_cast<std::size_t>(j % 4)] ? 0 : attention_.kept_factor();
        const double weight = std::exp(logits[column] - most);
        // Half of weight * (e^2δ - 1), of which no factor overflows.
        const double shift =
            error < 1e-6 ? weight * error : (std::exp(std::min(logits[column] - most + 2 * error, 700.0)) - weight) / 2;
        weights[column * group_rows] = weight * kept_factor;
        shifts[column * group_rows] = shift * kept_factor;
        block.total[i] += weight;
        block.squares[i] += weight * weight * kept_factor * kept_factor;
        block.shifted[i] += shift;
    }
}

void AttentionValues::add_values(const Keys& keys, Block& block, Tile& tile) const {
    const std::int64_t size = sizes_.head_size;
    std::vector<double> squared_values(accumulation_ ? static_cast<std::size_t>(tile.count * strip_columns) : 0);
    if (accumulation_) std::ranges::transform(tile.weights, tile.squares.begin(), [](double p) { return p * p; });
    for (std::int64_t strip = 0; strip * strip_columns < size; ++strip) {
        const double* const values = keys.values.data() + (strip * sizes_.columns + tile.first) * strip_columns;
        for (std::size_t i = 0; i < squared_values.size(); ++i) squared_values[i] = values[i] * values[i];
        const std::int64_t width = std::min(strip_columns, size - strip * strip_columns);
        for (std::int64_t group = 0; group * group_rows < block.rows; ++group) {
            const std::int64_t left = group * columns_of_tile * group_rows;
            ProductTile product, shift, square;
            if (accumulation_) add_products(tile.squares.data() + left, squared_values.data(), tile.count, square);
            add_products(tile.weights.data() + left, values, tile.count, product);
            add_products(tile.shifts.data() + left, values, tile.count, shift);
            for (std::int64_t i = 0; i < group_rows; ++i) {
                for (std::int64_t d = 0; d < width; ++d) {
                    const auto at =
                        static_cast<std::size_t>((group * group_rows + i) * size + strip * strip_columns + d);
                    block.sums[at] += product.sums[i][d];
                    block.magnitudes[at] += product.magnitudes[i][d];
                    block.shifts[at] += shift.magnitudes[i][d];
                    block.squared_sums[at] += square.sums[i][d];
                }
            }
        }
    }
}

void AttentionValues::finish(const Keys& keys, Block& block) const {
    const auto rows = static_cast<std::size_t>(block.rows),
               elements = rows * static_cast<std::size_t>(sizes_.head_size);
    block.output.resize(elements);
    block.output_error.resize(elements);
    block.lse.resize(rows);
    block.lse_error.resize(rows);
    for (std::int64_t row = 0; row < block.rows; ++row) finish_row(keys, block, row);
    for (auto* each :
         {&block.queries, &block.sums, &block.magnitudes, &block.shifts, &block.squared_sums, &block.infinite_logits})
        *each = {};
}

void AttentionValues::finish_row(const Keys& keys, Block& block, std::int64_t row) const {
    const auto i = static_cast<std::size_t>(row);
    const std::int64_t size = sizes_.head_size;
    const double total = block.total[i], most = block.most[i];
    const auto columns = static_cast<double>(block.seen_columns);
    const bool is_empty = most == -unlimited;
    // PyTorch's softmax of -inf alone is NaN, and that of online kernels 0.
    const bool is_not_judged = block.is_not_judged[i] != 0 || (is_empty && block.sees_infinite_only[i] != 0);
    const double shifted = is_empty ? 0 : block.shifted[i] / total;
    block.lse[i] = is_empty ? -unlimited : most + std::log(total);
    const double moved = std::min(shifted, std::log1p(2 * shifted));  // the sum of the weights grows so much at most
    block.lse_error[i] = unit_ * (3 * std::abs(block.lse[i]) + std::sqrt(columns) / 3 + 4) + moved;
    if (is_empty) block.lse_error[i] = 0;
    if (is_not_judged || most == unlimited) block.lse_error[i] = unjudged;  // an infinite logit: infinity, or NaN
    for (std::int64_t d = 0; d < size; ++d) {
        const auto at = static_cast<std::size_t>(row * size + d);
        const double largest = block.largest[static_cast<std::size_t>(d)];
        const double value = is_empty ? 0 : block.sums[at] / total;
        const double magnitude = is_empty ? 0 : block.magnitudes[at] / total;
        double error = is_empty ? 0 : block.shifts[at] / total + shifted * std::abs(value);
        error = std::min(error, 2 * largest * attention_.kept_factor());
        error += unit_ * (magnitude + std::abs(value) * (std::sqrt(columns) / 3 + 2));
        if (narrow_unit_ != 0 && !is_empty) {
            error += narrow_unit_ * std::sqrt(block.squares[i]) / total * largest;
            error += unit_ * std::ceil(columns / products_added_together) *
                     std::sqrt(largest * attention_.kept_factor() / total * magnitude);
        }
        if (accumulation_ && !is_empty) error += byte_error(block, row, d);
        const bool may_overflow = !(columns * largest * attention_.kept_factor() < most_);
        block.output[at] = value;
        block.output_error[at] = is_not_judged || (may_overflow && !is_empty) ? unjudged : error;
    }
    if (!keys.infinite.empty()) add_infinite(keys, block, row);
}

/// What weights in E4M3 cost an element, and sums that are added coarsely. Roundings of different weights are as
/// random, those of equal weights have one direction: this part, and what small weights miss, is a bound, of which the
/// judge allows four times too much.
double AttentionValues::byte_error(const Block& block, std::int64_t row, std::int64_t d) const {
    const auto i = static_cast<std::size_t>(row), at = static_cast<std::size_t>(row * sizes_.head_size + d);
    const double total = block.total[i], largest = block.largest[static_cast<std::size_t>(d)];
    const auto columns = static_cast<double>(block.seen_columns);
    const double value = block.sums[at] / total, magnitude = block.magnitudes[at] / total;
    return byte_unit * (std::sqrt(block.squared_sums[at]) / total + std::abs(value) / 4) +
           byte_floor * columns * largest / total / 4 +
           error_of_coarse_sum(*accumulation_, std::max(columns, 1.0), value, magnitude, largest / total);
}

/// Values that are not finite. One that is hidden, or whose weight may be 0 in the arithmetic, gives NaN in a kernel
/// that multiplies it by 0: where there is one, the element is not judged.
void AttentionValues::add_infinite(const Keys& keys, Block& block, std::int64_t row) const {
    const auto i = static_cast<std::size_t>(row), size = static_cast<std::size_t>(sizes_.head_size);
    // f16 holds no weights below 2^-24, E4M3 none below 2^-18.
    const double farthest = accumulation_ ? -11 : narrow_unit_ == 0x1p-11 ? -16 : -60;
    for (std::size_t n = 0; n < keys.infinite.size(); ++n) {
        const double distance = block.infinite_logits[i * keys.infinite.size() + n] - block.most[i];
        const std::int64_t j = keys.infinite[n];
        const bool is_dropped =
            are_dropped(attention_, block.batch, block.head, block.first + row, j / 4)[static_cast<std::size_t>(j % 4)];
        const bool is_certain = distance > farthest && !is_dropped;
        for (std::size_t d = 0; d < size; ++d) {
            const double value = keys.infinite_values[n * size + d];
            if (std::isfinite(value)) continue;
            const std::size_t at = i * size + d;
            if (is_certain) block.output[at] += value;
            else block.output_error[at] = unjudged;
        }
    }
}

}  // namespace kernelgen
