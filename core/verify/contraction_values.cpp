// SPDX-License-Identifier: Apache-2.0
#include "core/verify/contraction_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "core/lang/evaluator.h"
#include "core/verify/input_cache.h"
#include "core/verify/parallel.h"
#include "core/verify/product_kernel.h"

namespace kernelgen {

namespace {

constexpr std::int64_t tile_rows = ProductTile::rows, tile_columns = ProductTile::columns;
constexpr std::int64_t block_depth = 512;  ///< products that are added while a strip of the operand stays near
constexpr std::int64_t block_rows = 64;
constexpr double products_at_a_time = 8;  ///< that tensor cores of sm_80 add to a sum; later ones add 16

/// The values of an operand, evaluated in float64 or, where `is_rounded`, in float; then values that are infinite or 0
/// in the case's dtype, if it has at most 16 bits, are so: a kernel may round an operand to it.
class OperandReader {
public:
    OperandReader(const Operator& definition, const ContractionOperand& operand, const Case& binding,
                  const Elements& inputs, bool is_rounded)
        : cache_(inputs, element_counts(definition.inputs, binding.sizes)), dtype_(binding.dtype) {
        const auto load = [this](int input, std::int64_t first, auto values) { cache_.read(input, first, values); };
        if (is_rounded) f32_.emplace(definition, operand.values, binding.sizes, load);
        else f64_.emplace(definition, operand.values, binding.sizes, load);
    }

    /// Calls take(column, value) for all columns of a row of the operand's space.
    void read(std::int64_t row, std::int64_t columns, const auto& take) {
        if (f64_) return read(*f64_, row, columns, take);
        if (size_of(dtype_) > 2) return read(*f32_, row, columns, take);
        read(*f32_, row, columns, [&](std::int64_t column, double value) {
            const double rounded = round_to(dtype_, value);
            take(column, rounded == 0 || std::isinf(rounded) ? rounded : value);
        });
    }

private:
    template <class T>
    static void read(Evaluator<T>& evaluator, std::int64_t row, std::int64_t columns, const auto& take) {
        constexpr std::int64_t step = Evaluator<T>::block_columns;
        for (std::int64_t first = 0; first < columns; first += step) {
            const std::int64_t count = std::min(step, columns - first);
            evaluator.evaluate(row, first, count);
            const std::span<const T> values = evaluator.output(0);
            for (std::int64_t i = 0; i < count; ++i)
                take(first + i, static_cast<double>(values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)]));
        }
    }

    InputCache cache_;
    std::optional<Evaluator<double>> f64_;
    std::optional<Evaluator<float>> f32_;
    DType dtype_;
};

}  // namespace

/// An operand as the product's kernel reads it. Its lines are the rows of the left operand, or the columns of the right
/// one. `width` lines are a strip, in which the lines' elements for one k follow those for the k before. Lines beyond
/// the end are zero.
class ContractionValues::PackedOperand {
public:
    PackedOperand(std::int64_t width, std::int64_t lines, std::int64_t depth, bool lines_are_rows, RowMap batches)
        : width_(width), lines_(lines), depth_(depth), lines_are_rows_(lines_are_rows), batches_(std::move(batches)) {}

    /// Evaluates the operand, on all cores. `make_reader()` gives each thread its reader.
    void fill(const auto& make_reader) {
        read(make_reader);
        largest_.resize(static_cast<std::size_t>(batches_.rows * lines_));
        for (std::size_t line = 0; line < largest_.size(); ++line) largest_[line] = largest_in(line);
    }

    /// The largest finite magnitude in a line of a matrix of the result.
    double largest(std::int64_t batch, std::int64_t line) const {
        return largest_[static_cast<std::size_t>(batches_(batch) * lines_ + line)];
    }

    std::int64_t strips() const { return (lines_ + width_ - 1) / width_; }
    /// The elements from `k` on of a strip that belongs to a matrix of the result.
    const double* at(std::int64_t batch, std::int64_t number, std::int64_t k) const {
        return values_.get() + (batches_(batch) * strips() + number) * strip() + k * width_;
    }

private:
    std::int64_t strip() const { return depth_ * width_; }  ///< elements

    double largest_in(std::size_t number) const {
        const auto line = static_cast<std::int64_t>(number) % lines_;
        const double* value = values_.get() +
                              (static_cast<std::int64_t>(number) / lines_ * strips() + line / width_) * strip() +
                              line % width_;
        double largest = 0;
        for (std::int64_t k = 0; k < depth_; ++k, value += width_) {
            const double magnitude = std::abs(*value);
            if (magnitude > largest && std::isfinite(magnitude)) largest = magnitude;
        }
        return largest;
    }

    void read(const auto& make_reader) {
        values_ = std::make_unique<double[]>(static_cast<std::size_t>(batches_.rows * strips() * strip()));
        const std::int64_t rows = lines_are_rows_ ? lines_ : depth_, columns = lines_are_rows_ ? depth_ : lines_;
        Claims claims(batches_.rows * rows, 16, {});
        on_all_cores(claims, [&](Claims& mine) {
            auto reader = make_reader();
            while (const std::optional<Range> claim = mine.next()) {
                for (std::int64_t row = claim->first; row < claim->end; ++row) {
                    double* const to = values_.get() + row / rows * strips() * strip();
                    reader->read(row, columns, [&](std::int64_t column, double value) {
                        const std::int64_t line = lines_are_rows_ ? row % rows : column;
                        const std::int64_t k = lines_are_rows_ ? column : row % rows;
                        to[line / width_ * strip() + k * width_ + line % width_] = value;
                    });
                }
            }
        });
    }

    std::int64_t width_, lines_, depth_;
    bool lines_are_rows_;
    RowMap batches_;
    std::unique_ptr<double[]> values_;
    std::vector<double> largest_;
};

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
          left_(tile_rows, sizes_.rows, sizes_.depth, !contraction_.left.is_transposed,
                batch_map(contraction_, contraction_.left, binding.sizes)),
          right_(tile_columns, sizes_.columns, sizes_.depth, contraction_.right.is_transposed,
                 batch_map(contraction_, contraction_.right, binding.sizes)),
          blocks_per_batch_((sizes_.rows + block_rows - 1) / block_rows),
          blocks_(static_cast<std::size_t>(sizes_.batches * blocks_per_batch_)) {}

    /// Calls take(i, Σ a·b, Σ |a·b|, largest |a| · largest |b|) for the elements first + i.
    void read(std::int64_t first, std::int64_t count, const auto& take) {
        std::call_once(are_packed_, [&] {
            left_.fill([&] { return reader_of(contraction_.left); });
            right_.fill([&] { return reader_of(contraction_.right); });
        });
        for (std::int64_t i = 0; i < count;) {
            const std::int64_t row = (first + i) / sizes_.columns, column = (first + i) % sizes_.columns;
            const std::int64_t batch = row / sizes_.rows, number = row % sizes_.rows / block_rows;
            Block& block = blocks_[static_cast<std::size_t>(batch * blocks_per_batch_ + number)];
            std::call_once(block.once, [&] { compute(batch, number, block); });
            const std::int64_t offset = row % sizes_.rows % block_rows * sizes_.columns + column;
            const std::int64_t end = std::min(count, i + sizes_.columns - column);
            const double left = left_.largest(batch, row % sizes_.rows);
            for (std::int64_t at = offset, j = column; i < end; ++i, ++at, ++j)
                take(i, block.sums[static_cast<std::size_t>(at)], block.magnitudes[static_cast<std::size_t>(at)],
                     left * right_.largest(batch, j));
        }
    }

private:
    struct Block {
        std::once_flag once;
        std::unique_ptr<double[]> sums, magnitudes;
    };

    std::unique_ptr<OperandReader> reader_of(const ContractionOperand& operand) const {
        return std::make_unique<OperandReader>(definition_, operand, binding_, inputs_, is_rounded_);
    }

    void compute(std::int64_t batch, std::int64_t number, Block& block) const {
        const std::int64_t rows = std::min(block_rows, sizes_.rows - number * block_rows);
        const auto elements = static_cast<std::size_t>(rows * sizes_.columns);
        block.sums = std::make_unique_for_overwrite<double[]>(elements);
        block.magnitudes = std::make_unique_for_overwrite<double[]>(elements);
        std::vector<ProductTile> tiles(static_cast<std::size_t>((rows + tile_rows - 1) / tile_rows));
        for (std::int64_t strip = 0; strip < right_.strips(); ++strip) {
            std::ranges::fill(tiles, ProductTile{});
            for (std::int64_t k = 0; k < sizes_.depth; k += block_depth) {
                for (std::size_t i = 0; i < tiles.size(); ++i) {
                    const std::int64_t group = number * (block_rows / tile_rows) + static_cast<std::int64_t>(i);
                    add_products(left_.at(batch, group, k), right_.at(batch, strip, k),
                                 std::min(block_depth, sizes_.depth - k), tiles[i]);
                }
            }
            store(tiles, rows, strip * tile_columns, block);
        }
        bound_infinite(batch, number, rows, block);
    }

    /// Where a sum is infinite, Σ|a·b| is too. What the finite products may add up to is bounded in its place.
    void bound_infinite(std::int64_t batch, std::int64_t number, std::int64_t rows, Block& block) const {
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < sizes_.columns; ++j) {
                const auto at = static_cast<std::size_t>(i * sizes_.columns + j);
                if (!std::isinf(block.sums[at])) continue;
                block.magnitudes[at] = static_cast<double>(sizes_.depth) *
                                       left_.largest(batch, number * block_rows + i) * right_.largest(batch, j);
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
    PackedOperand left_, right_;
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
        if (is_for_tensor_cores_) {
            const double partial = std::min(magnitude, std::max(std::abs(sum), std::sqrt(product * magnitude)));
            error += unit_ * std::ceil(depth_ / products_at_a_time) * partial;
        }
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

InputsWithContraction with_contraction(const Operator& definition, const Body& body, const Case& binding,
                                       Elements inputs) {
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
