// SPDX-License-Identifier: Apache-2.0
#include "core/verify/product_operand.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/verify/parallel.h"

namespace kernelgen {

namespace {

/// How a matrix lies in the rows of the operand's space.
struct MatrixLayout {
    std::int64_t lines = 1, depth = 1;
    bool lines_are_rows = true;     ///< otherwise each row has one k of all lines
    std::int64_t rows_of_line = 1;  ///< consecutive rows that are one line
    RowMap batches;                 ///< maps a matrix of the result to the operand's
};

class PackedOperand : public ProductOperand {
public:
    PackedOperand(std::int64_t width, MatrixLayout layout) : width_(width), layout_(std::move(layout)) {}

    void fill(const MakeReader& make_reader) override {
        read(make_reader);
        largest_.resize(static_cast<std::size_t>(layout_.batches.rows * layout_.lines));
        for (std::size_t line = 0; line < largest_.size(); ++line) largest_[line] = largest_in(line);
    }

    double largest(std::int64_t batch, std::int64_t line) const override {
        return largest_[static_cast<std::size_t>(layout_.batches(batch) * layout_.lines + line)];
    }

    std::int64_t strips() const override { return (layout_.lines + width_ - 1) / width_; }
    const double* strip(std::int64_t batch, std::int64_t number, std::vector<double>&) const override {
        return values_.get() + (layout_.batches(batch) * strips() + number) * strip_elements();
    }
    bool is_padding(std::int64_t, std::int64_t, std::int64_t) const override { return false; }

private:
    std::int64_t strip_elements() const { return layout_.depth * width_; }

    double largest_in(std::size_t number) const {
        const auto line = static_cast<std::int64_t>(number) % layout_.lines;
        const double* value =
            values_.get() +
            (static_cast<std::int64_t>(number) / layout_.lines * strips() + line / width_) * strip_elements() +
            line % width_;
        double largest = 0;
        for (std::int64_t k = 0; k < layout_.depth; ++k, value += width_) {
            const double magnitude = std::abs(*value);
            if (magnitude > largest && std::isfinite(magnitude)) largest = magnitude;
        }
        return largest;
    }

    void read(const MakeReader& make_reader) {
        values_ =
            std::make_unique<double[]>(static_cast<std::size_t>(layout_.batches.rows * strips() * strip_elements()));
        const bool lines_are_rows = layout_.lines_are_rows;
        const std::int64_t rows = lines_are_rows ? layout_.lines * layout_.rows_of_line : layout_.depth;
        const std::int64_t columns = lines_are_rows ? layout_.depth / layout_.rows_of_line : layout_.lines;
        Claims claims(layout_.batches.rows * rows, 16, {});
        on_all_cores(claims, [&](Claims& mine) {
            auto reader = make_reader();
            while (const std::optional<Range> claim = mine.next()) {
                for (std::int64_t row = claim->first; row < claim->end; ++row) {
                    double* const to = values_.get() + row / rows * strips() * strip_elements();
                    const std::int64_t first_k = row % layout_.rows_of_line * columns;
                    reader->read(row, columns, [&](std::int64_t column, double value) {
                        const std::int64_t line = lines_are_rows ? row % rows / layout_.rows_of_line : column;
                        const std::int64_t k = lines_are_rows ? first_k + column : row % rows;
                        to[line / width_ * strip_elements() + k * width_ + line % width_] = value;
                    });
                }
            }
        });
    }

    std::int64_t width_;
    MatrixLayout layout_;
    std::unique_ptr<double[]> values_;
    std::vector<double> largest_;
};

/// A line is a pixel of the result; k goes over the patch in the kernels' order in memory.
class PatchesOperand : public ProductOperand {
public:
    PatchesOperand(const Convolution& convolution, const Sizes& sizes, std::int64_t width)
        : convolution_(convolution),
          sizes_(sizes_of(convolution, sizes)),
          width_(width),
          pixels_(sizes_.out_height * sizes_.out_width),
          lines_(convolution.is_channels_last ? sizes_.images * pixels_ : pixels_),
          batches_(convolution.is_channels_last ? sizes_.groups : sizes_.images * sizes_.groups) {}

    void fill(const MakeReader& make_reader) override {
        read(make_reader);
        largest_.resize(static_cast<std::size_t>(batches_ * lines_));
        Claims claims(batches_ * lines_, 64, {});
        on_all_cores(claims, [&](Claims& mine) {
            while (const std::optional<Range> claim = mine.next()) {
                for (std::int64_t i = claim->first; i < claim->end; ++i)
                    largest_[static_cast<std::size_t>(i)] = largest_in(i / lines_, i % lines_);
            }
        });
    }

    double largest(std::int64_t batch, std::int64_t line) const override {
        return largest_[static_cast<std::size_t>(batch * lines_ + line)];
    }

    std::int64_t strips() const override { return (lines_ + width_ - 1) / width_; }
    const double* strip(std::int64_t batch, std::int64_t number, std::vector<double>& room) const override {
        const std::int64_t depth = sizes_.group_channels * sizes_.kernel_height * sizes_.kernel_width;
        room.assign(static_cast<std::size_t>(depth * width_), 0.0);
        for (std::int64_t i = 0; i < std::min(width_, lines_ - number * width_); ++i) {
            each_element(batch, number * width_ + i,
                         [&](std::int64_t k, double value) { room[static_cast<std::size_t>(k * width_ + i)] = value; });
        }
        return room.data();
    }

    bool is_padding(std::int64_t, std::int64_t line, std::int64_t k) const override {
        const std::int64_t taps = sizes_.kernel_height * sizes_.kernel_width;
        const std::int64_t tap = convolution_.is_channels_last ? k / sizes_.group_channels : k % taps;
        const std::int64_t h = top(line) + tap / sizes_.kernel_width * convolution_.dilation;
        const std::int64_t w = left(line) + tap % sizes_.kernel_width * convolution_.dilation;
        return h < 0 || h >= sizes_.height || w < 0 || w >= sizes_.width;
    }

private:
    /// Where in the image a line's patch begins.
    std::int64_t top(std::int64_t line) const {
        return line % pixels_ / sizes_.out_width * convolution_.stride - convolution_.padding;
    }
    std::int64_t left(std::int64_t line) const {
        return line % sizes_.out_width * convolution_.stride - convolution_.padding;
    }

    /// Calls take(k, value) for the elements of a patch that lie in the image.
    void each_element(std::int64_t batch, std::int64_t line, const auto& take) const {
        const bool last = convolution_.is_channels_last;
        const std::int64_t image = last ? line / pixels_ : batch / sizes_.groups;
        const std::int64_t first_channel = batch % sizes_.groups * sizes_.group_channels;
        for (std::int64_t r = 0; r < sizes_.kernel_height; ++r) {
            const std::int64_t h = top(line) + r * convolution_.dilation;
            if (h < 0 || h >= sizes_.height) continue;
            for (std::int64_t s = 0; s < sizes_.kernel_width; ++s) {
                const std::int64_t w = left(line) + s * convolution_.dilation;
                if (w < 0 || w >= sizes_.width) continue;
                const std::int64_t tap = r * sizes_.kernel_width + s;
                for (std::int64_t c = 0; c < sizes_.group_channels; ++c) {
                    const std::int64_t channel = first_channel + c;
                    const std::int64_t at =
                        last ? ((image * sizes_.height + h) * sizes_.width + w) * sizes_.channels + channel
                             : ((image * sizes_.channels + channel) * sizes_.height + h) * sizes_.width + w;
                    take(last ? tap * sizes_.group_channels + c : c * sizes_.kernel_height * sizes_.kernel_width + tap,
                         values_[static_cast<std::size_t>(at)]);
                }
            }
        }
    }

    double largest_in(std::int64_t batch, std::int64_t line) const {
        double largest = 0;
        each_element(batch, line, [&](std::int64_t, double value) {
            const double magnitude = std::abs(value);
            if (magnitude > largest && std::isfinite(magnitude)) largest = magnitude;
        });
        return largest;
    }

    void read(const MakeReader& make_reader) {
        const std::int64_t columns = convolution_.is_channels_last ? sizes_.channels : sizes_.width;
        const std::int64_t all = sizes_.images * sizes_.channels * sizes_.height * sizes_.width;
        values_ = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(all));
        Claims claims(all / columns, 16, {});
        on_all_cores(claims, [&](Claims& mine) {
            auto reader = make_reader();
            while (const std::optional<Range> claim = mine.next()) {
                for (std::int64_t row = claim->first; row < claim->end; ++row)
                    reader->read(row, columns, [&](std::int64_t column, double value) {
                        values_[static_cast<std::size_t>(row * columns + column)] = value;
                    });
            }
        });
    }

    Convolution convolution_;
    ConvolutionSizes sizes_;
    std::int64_t width_, pixels_, lines_, batches_;
    std::unique_ptr<double[]> values_;  ///< the images
    std::vector<double> largest_;
};

}  // namespace

std::unique_ptr<ProductOperand> matrix_operand(const Contraction& contraction, bool is_left, const Sizes& sizes,
                                               std::int64_t width) {
    const ContractionSizes all = sizes_of(contraction, sizes);
    const ContractionOperand& operand = is_left ? contraction.left : contraction.right;
    return std::make_unique<PackedOperand>(width, MatrixLayout{.lines = is_left ? all.rows : all.columns,
                                                               .depth = all.depth,
                                                               .lines_are_rows = is_left != operand.is_transposed,
                                                               .rows_of_line = 1,
                                                               .batches = batch_map(contraction, operand, sizes)});
}

std::unique_ptr<ProductOperand> kernels_operand(const Convolution& convolution, const Sizes& sizes,
                                                std::int64_t width) {
    const ConvolutionSizes all = sizes_of(convolution, sizes);
    const std::int64_t depth = all.group_channels * all.kernel_height * all.kernel_width;
    RowMap groups;
    groups.axes = {{1, all.groups, 1}};
    groups.rows = all.groups;
    return std::make_unique<PackedOperand>(
        width,
        MatrixLayout{.lines = all.kernels / all.groups,
                     .depth = depth,
                     .lines_are_rows = true,
                     .rows_of_line = depth / (convolution.is_channels_last ? all.group_channels : all.kernel_width),
                     .batches = std::move(groups)});
}

std::unique_ptr<ProductOperand> patches_operand(const Convolution& convolution, const Sizes& sizes,
                                                std::int64_t width) {
    return std::make_unique<PatchesOperand>(convolution, sizes, width);
}

}  // namespace kernelgen
