// SPDX-License-Identifier: Apache-2.0
#include "core/verify/contraction_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/verify/attention_gradients.h"
#include "core/verify/attention_values.h"
#include "core/verify/coarse_sums.h"
#include "core/verify/product_kernel.h"
#include "core/verify/product_operand.h"

namespace kernelgen {

namespace {

constexpr std::int64_t tile_rows = ProductTile::rows, tile_columns = ProductTile::columns;
constexpr std::int64_t block_depth = 512;  ///< products that are added while a strip of the operand stays near
constexpr std::int64_t block_rows = 64;

}  // namespace

/// One product of both operands: Σ a·b and Σ |a·b| of each element.
class ContractionValues::Product {
public:
    Product(const Operator& definition, const Body& body, const Case& binding, const Elements& inputs, bool is_rounded)
        : definition_(definition),
          contraction_(*body.contraction),
          binding_(binding),
          inputs_(inputs),
          is_rounded_(is_rounded),
          sizes_(sizes_of(contraction_, binding.sizes)),
          left_(operand(true)),
          right_(operand(false)),
          blocks_per_batch_((sizes_.rows + block_rows - 1) / block_rows),
          blocks_(static_cast<std::size_t>(sizes_.batches * blocks_per_batch_)) {}

    /// Calls take(i, Σ a·b, Σ |a·b|, largest |a| · largest |b|) for the elements first + i.
    void read(std::int64_t first, std::int64_t count, const auto& take) {
        std::call_once(are_packed_, [&] {
            left_->fill([&] { return reader_of(read_by(true)); });
            right_->fill([&] { return reader_of(read_by(false)); });
        });
        for (std::int64_t i = 0; i < count;) {
            const std::int64_t line = (first + i) / sizes_.columns, column = (first + i) % sizes_.columns;
            const std::int64_t row = line / sizes_.interleaved;
            const std::int64_t batch = row / sizes_.rows * sizes_.interleaved + line % sizes_.interleaved;
            const std::int64_t number = row % sizes_.rows / block_rows;
            Block& block = blocks_[static_cast<std::size_t>(batch * blocks_per_batch_ + number)];
            std::call_once(block.once, [&] { compute(batch, number, block); });
            const std::int64_t offset = row % sizes_.rows % block_rows * sizes_.columns + column;
            const std::int64_t end = std::min(count, i + sizes_.columns - column);
            const double left = left_->largest(batch, row % sizes_.rows);
            for (std::int64_t at = offset, j = column; i < end; ++i, ++at, ++j)
                take(i, block.sums[static_cast<std::size_t>(at)], block.magnitudes[static_cast<std::size_t>(at)],
                     left * right_->largest(batch, j));
        }
    }

private:
    struct Block {
        std::once_flag once;
        std::unique_ptr<double[]> sums, magnitudes;
    };

    /// Whether an operand of the product is the patches of a convolution's images.
    bool reads_patches(bool is_left) const {
        return contraction_.convolution && contraction_.convolution->is_channels_last == is_left;
    }
    /// The body's operand that an operand of the product reads: of a convolution the images or the kernels.
    const ContractionOperand& read_by(bool is_left) const {
        return (contraction_.convolution ? reads_patches(is_left) : is_left) ? contraction_.left : contraction_.right;
    }

    std::unique_ptr<ProductOperand> operand(bool is_left) const {
        const std::int64_t width = is_left ? tile_rows : tile_columns;
        if (!contraction_.convolution) return matrix_operand(contraction_, is_left, binding_.sizes, width);
        return (reads_patches(is_left) ? patches_operand : kernels_operand)(*contraction_.convolution, binding_.sizes,
                                                                            width);
    }

    std::unique_ptr<OperandReader> reader_of(const ContractionOperand& operand) const {
        return std::make_unique<OperandReader>(definition_, operand, binding_, inputs_, is_rounded_);
    }

    void compute(std::int64_t batch, std::int64_t number, Block& block) const {
        const std::int64_t rows = std::min(block_rows, sizes_.rows - number * block_rows);
        const auto elements = static_cast<std::size_t>(rows * sizes_.columns);
        block.sums = std::make_unique_for_overwrite<double[]>(elements);
        block.magnitudes = std::make_unique_for_overwrite<double[]>(elements);
        std::vector<ProductTile> tiles(static_cast<std::size_t>((rows + tile_rows - 1) / tile_rows));
        std::vector<std::vector<double>> rooms(tiles.size() + 1);
        std::vector<const double*> groups;
        for (std::size_t i = 0; i < tiles.size(); ++i)
            groups.push_back(
                left_->strip(batch, number * (block_rows / tile_rows) + static_cast<std::int64_t>(i), rooms[i]));
        for (std::int64_t strip = 0; strip < right_->strips(); ++strip) {
            const double* const columns = right_->strip(batch, strip, rooms.back());
            std::ranges::fill(tiles, ProductTile{});
            for (std::int64_t k = 0; k < sizes_.depth; k += block_depth) {
                for (std::size_t i = 0; i < tiles.size(); ++i)
                    add_products(groups[i] + k * tile_rows, columns + k * tile_columns,
                                 std::min(block_depth, sizes_.depth - k), tiles[i]);
            }
            store(tiles, rows, strip * tile_columns, block);
            if (contraction_.convolution && contraction_.convolution->padding > 0)
                skip_padding(batch, number, groups, columns, strip, rows, block);
        }
        bound_infinite(batch, number, rows, block);
    }

    /// Kernels may multiply the zeros around an image or leave them out, which differs where an element of a kernel is
    /// not finite. The reference leaves them out, and such an element is not judged: its magnitude is NaN.
    void skip_padding(std::int64_t batch, std::int64_t number, const std::vector<const double*>& groups,
                      const double* columns, std::int64_t strip, std::int64_t rows, Block& block) const {
        const std::int64_t first = strip * tile_columns, end = std::min(first + tile_columns, sizes_.columns);
        const ProductOperand& patches = reads_patches(true) ? *left_ : *right_;
        for (std::int64_t i = 0; i < rows; ++i) {
            const double* const row = groups[static_cast<std::size_t>(i / tile_rows)] + i % tile_rows;
            for (std::int64_t j = first; j < end; ++j) {
                const auto at = static_cast<std::size_t>(i * sizes_.columns + j);
                if (!std::isnan(block.sums[at])) continue;
                const std::int64_t line = reads_patches(true) ? number * block_rows + i : j;
                double sum = 0;
                for (std::int64_t k = 0; k < sizes_.depth && !std::isnan(sum); ++k) {
                    const double product = row[k * tile_rows] * columns[k * tile_columns + j - first];
                    if (!std::isnan(product) || !patches.is_padding(batch, line, k)) sum += product;
                }
                if (std::isnan(sum)) continue;
                block.sums[at] = sum;
                block.magnitudes[at] = std::numeric_limits<double>::quiet_NaN();
            }
        }
    }

    /// Where a sum is infinite, Σ|a·b| is too. What the finite products may add up to is bounded in its place.
    void bound_infinite(std::int64_t batch, std::int64_t number, std::int64_t rows, Block& block) const {
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < sizes_.columns; ++j) {
                const auto at = static_cast<std::size_t>(i * sizes_.columns + j);
                if (!std::isinf(block.sums[at]) || std::isnan(block.magnitudes[at])) continue;
                block.magnitudes[at] = static_cast<double>(sizes_.depth) *
                                       left_->largest(batch, number * block_rows + i) * right_->largest(batch, j);
            }
        }
    }

    void store(const std::vector<ProductTile>& tiles, std::int64_t rows, std::int64_t first, Block& block) const {
        const std::int64_t columns = std::min(tile_columns, sizes_.columns - first);
        for (std::int64_t i = 0; i < rows; ++i) {
            const ProductTile& tile = tiles[static_cast<std::size_t>(i / tile_rows)];
            std::copy_n(tile.sums[i % tile_rows], columns, block.sums.get() + i * sizes_.columns + first);
            std::copy_n(tile.magnitudes[i % tile_rows], columns, block.magnitudes.get() + i * sizes_.columns + first);
        }
    }

    const Operator& definition_;
    const Contraction& contraction_;
    const Case& binding_;
    const Elements& inputs_;
    bool is_rounded_;
    ContractionSizes sizes_;
    std::unique_ptr<ProductOperand> left_, right_;
    std::int64_t blocks_per_batch_;
    std::vector<Block> blocks_;
    std::once_flag are_packed_;
};

ContractionValues::ContractionValues(const Operator& definition, const Body& body, const Case& binding, Elements inputs)
    : inputs_(std::move(inputs)) {
    const Contraction& contraction = *body.contraction;
    const bool is_f64 = arithmetic_of(definition, binding) == DType::f64;
    exact_ = std::make_unique<Product>(definition, body, binding, inputs_, false);
    if (!is_f64 && (contraction.left.has_prologue() || contraction.right.has_prologue()))
        rounded_ = std::make_unique<Product>(definition, body, binding, inputs_, true);
    unit_ = is_f64 ? std::numeric_limits<double>::epsilon() / 2 : std::numeric_limits<float>::epsilon() / 2;
    most_ = is_f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
    depth_ = static_cast<double>(sizes_of(contraction, binding.sizes).depth);
    is_for_tensor_cores_ = size_of(binding.dtype) == 2;
    if (definition.accumulate && !is_f64) accumulation_ = error_of(*definition.accumulate);
    most_stored_ = largest_finite(binding.dtype);
}

ContractionValues::~ContractionValues() = default;

void ContractionValues::read(std::int64_t first, std::span<double> values) {
    exact_->read(first, static_cast<std::int64_t>(values.size()),
                 [&](std::int64_t i, double sum, double, double) { values[static_cast<std::size_t>(i)] = sum; });
}

void ContractionValues::read_rounded(std::int64_t first, std::span<double> values) {
    std::vector<double> exact(rounded_ ? values.size() : 0);
    if (rounded_) read(first, exact);
    const auto take = [&](std::int64_t i, double sum, double magnitude, double product) {
        double error = unit_ * (magnitude + std::abs(sum) * std::sqrt(depth_) / 3);
        const double partial = std::min(magnitude, std::max(std::abs(sum), std::sqrt(product * magnitude)));
        if (is_for_tensor_cores_) error += unit_ * std::ceil(depth_ / products_added_together) * partial;
        if (accumulation_) error += error_of_coarse_sum(*accumulation_, depth_, sum, magnitude, product);
        if (depth_ <= 1) error = 0;
        const double meant = rounded_ ? exact[static_cast<std::size_t>(i)] : sum;
        const bool overflows = !std::isfinite(sum) && sum != meant && !(std::isnan(sum) && std::isnan(meant));
        // Within the rounding of an operand to 16 bits of the dtype's largest number.
        const bool is_at_edge = rounded_ && is_for_tensor_cores_ && std::abs(sum) + magnitude / 256 > most_stored_ &&
                                std::abs(sum) < 2 * most_stored_;
        const bool may_overflow = overflows || is_at_edge || !(magnitude <= most_);
        values[static_cast<std::size_t>(i)] = may_overflow ? std::numeric_limits<double>::quiet_NaN() : sum + error;
    };
    (rounded_ ? *rounded_ : *exact_).read(first, static_cast<std::int64_t>(values.size()), take);
}

namespace {

/// `Values`: AttentionValues or AttentionGradients.
template <class Values>
InputsWithContraction with_attention(const Operator& definition, const Body& body, const Case& binding,
                                     Elements inputs) {
    const auto values = std::make_shared<Values>(definition, body, binding, inputs);
    const int first_result = static_cast<int>(definition.inputs.size());
    return {[=](int input, std::int64_t first, std::span<double> elements) {
                if (input >= first_result) values->read(input - first_result, first, elements);
                else inputs(input, first, elements);
            },
            [=](int input, std::int64_t first, std::span<double> elements) {
                if (input >= first_result) values->read_rounded(input - first_result, first, elements);
                else inputs(input, first, elements);
            }};
}

}  // namespace

InputsWithContraction with_contraction(const Operator& definition, const Body& body, const Case& binding,
                                       Elements inputs) {
    if (body.attention && body.attention->is_backward())
        return with_attention<AttentionGradients>(definition, body, binding, std::move(inputs));
    if (body.attention) return with_attention<AttentionValues>(definition, body, binding, std::move(inputs));
    if (!body.contraction) return {std::move(inputs), {}};
    const auto values = std::make_shared<ContractionValues>(definition, body, binding, inputs);
    const int contraction = static_cast<int>(definition.inputs.size());
    return {[=](int input, std::int64_t first, std::span<double> elements) {
                if (input == contraction) values->read(first, elements);
                else inputs(input, first, elements);
            },
            [=](int input, std::int64_t first, std::span<double> elements) {
                if (input == contraction) values->read_rounded(first, elements);
                else inputs(input, first, elements);
            }};
}

}  // namespace kernelgen
