// SPDX-License-Identifier: Apache-2.0
#include "core/verify/gradient_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/verify/product_kernel.h"

namespace kernelgen {

namespace {

constexpr std::int64_t group_size = ProductTile::rows, strip_size = ProductTile::columns;

std::size_t room(std::int64_t count) { return static_cast<std::size_t>(count); }

std::int64_t whole_units(std::int64_t count, std::int64_t unit) { return (count + unit - 1) / unit; }

}  // namespace

void GradientLines::read(const Elements& inputs, int input, std::int64_t first_line, std::int64_t lines,
                         std::int64_t width) {
    std::vector<double> values(room(lines * width));
    inputs(input, first_line * width, values);
    take(values, lines, width);
}

void GradientLines::take(std::span<const double> values, std::int64_t lines, std::int64_t width) {
    count = lines;
    size = width;
    const std::int64_t strips = whole_units(size, strip_size);
    rows.assign(room(whole_units(count, group_size) * group_size * size), 0);
    columns.assign(room(whole_units(count, strip_size) * strip_size * size), 0);
    elements.assign(room(strips * count * strip_size), 0);
    infinite.clear();
    for (std::int64_t line = 0; line < count; ++line) {
        for (std::int64_t d = 0; d < size; ++d) {
            const double value = values[room(line * size + d)];
            rows[room((line / group_size * size + d) * group_size + line % group_size)] = value;
            columns[room((line / strip_size * size + d) * strip_size + line % strip_size)] = value;
            if (!std::isfinite(value)) {
                infinite.push_back({line, d, value});
                continue;
            }
            elements[room((d / strip_size * count + line) * strip_size + d % strip_size)] = value;
        }
    }
}

void GradientWeights::clear(std::int64_t lines) {
    const auto used = whole_units(lines, group_size) * group_size * gradient_lines;
    std::fill_n(values.begin(), used, 0.0);
    std::fill_n(errors.begin(), used, 0.0);
    std::fill_n(is_seen.begin(), used, char(0));
}

GradientSums::GradientSums(std::int64_t count, std::int64_t size, const GradientArithmetic& arithmetic)
    : count_(count), size_(size), arithmetic_(arithmetic), largest_(room(size)), is_odd_(room(count)) {
    const std::int64_t whole = whole_units(count, group_size) * group_size;
    for (auto* each : {&sums_, &magnitudes_, &shifts_, &rounded_}) each->assign(room(whole * size), 0);
    plain_.assign(room(whole_units(size, strip_size) * strip_size * count), 0);
    for (auto* each : {&squares_, &most_, &terms_}) each->assign(room(count), 0);
}

void GradientSums::add(const GradientWeights& weights, const GradientLines& lines) {
    count_terms(weights, lines);
    for (std::int64_t strip = 0; strip * strip_size < size_; ++strip) {
        const double* const right = lines.elements.data() + strip * lines.count * strip_size;
        const std::int64_t width = std::min(strip_size, size_ - strip * strip_size);
        if (arithmetic_.is_f32) add_plainly(weights, lines, strip);
        for (std::int64_t group = 0; group * group_size < count_; ++group) {
            const std::int64_t left = group * gradient_lines * group_size;
            ProductTile product, shift;
            add_products(weights.values.data() + left, right, lines.count, product);
            add_products(weights.errors.data() + left, right, lines.count, shift);
            for (std::int64_t i = 0; i < group_size; ++i) {
                for (std::int64_t d = 0; d < width; ++d) {
                    const std::size_t at = room((group * group_size + i) * size_ + strip * strip_size + d);
                    sums_[at] += product.sums[i][d];
                    magnitudes_[at] += product.magnitudes[i][d];
                    shifts_[at] += shift.magnitudes[i][d];
                }
            }
        }
    }
    if (arithmetic_.narrow_unit != 0) add_rounded(weights, lines);
    if (!lines.infinite.empty()) add_infinite(weights, lines);
}

/// What errors follow from: of each line its terms, of each element the largest that any line sees.
void GradientSums::count_terms(const GradientWeights& weights, const GradientLines& lines) {
    std::array<bool, gradient_lines> is_seen{};
    for (std::int64_t line = 0; line < count_; ++line) {
        for (std::int64_t summed = 0; summed < lines.count; ++summed) {
            const std::size_t at = GradientWeights::place(line, summed);
            if (weights.is_seen[at] == 0) continue;
            const double weight = std::abs(weights.values[at]);
            const double rounding = std::max(arithmetic_.narrow_unit * weight, arithmetic_.narrow_least);
            terms_[room(line)] += 1;
            most_[room(line)] = std::max(most_[room(line)], weight);
            squares_[room(line)] += rounding * rounding;
            is_seen[room(summed)] = true;
        }
    }
    for (std::int64_t summed = 0; summed < lines.count; ++summed) {
        if (!is_seen[room(summed)]) continue;
        for (std::int64_t d = 0; d < size_; ++d) {
            const std::size_t at = room((d / strip_size * lines.count + summed) * strip_size + d % strip_size);
            largest_[room(d)] = std::max(largest_[room(d)], std::abs(lines.elements[at]));
        }
    }
}

/// Equal weights are rounded to 16 bits in one direction: what that costs is seen in the sum of the roundings.
void GradientSums::add_rounded(const GradientWeights& weights, const GradientLines& lines) {
    std::array<double, gradient_lines * group_size> roundings;
    for (std::int64_t group = 0; group * group_size < count_; ++group) {
        const double* const left = weights.values.data() + group * gradient_lines * group_size;
        for (std::int64_t i = 0; i < lines.count * group_size; ++i) {
            const double rounding = round_to(arithmetic_.narrow, left[i]) - left[i];
            roundings[room(i)] = std::isfinite(rounding) ? rounding : 0;  // one that overflows is not judged
        }
        for (std::int64_t strip = 0; strip * strip_size < size_; ++strip) {
            ProductTile product;
            add_products(roundings.data(), lines.elements.data() + strip * lines.count * strip_size, lines.count,
                         product);
            const std::int64_t width = std::min(strip_size, size_ - strip * strip_size);
            for (std::int64_t i = 0; i < group_size; ++i)
                for (std::int64_t d = 0; d < width; ++d)
                    rounded_[room((group * group_size + i) * size_ + strip * strip_size + d)] += product.sums[i][d];
        }
    }
}

/// Many equal terms, as of inputs that are all ones, are rounded in one direction: what that costs is seen in such a
/// sum.
void GradientSums::add_plainly(const GradientWeights& weights, const GradientLines& lines, std::int64_t strip) {
    float narrow[gradient_lines * strip_size];
    std::copy_n(lines.elements.data() + strip * lines.count * strip_size, lines.count * strip_size, narrow);
    for (std::int64_t line = 0; line < count_; ++line) {
        float* const sums = plain_.data() + (strip * count_ + line) * strip_size;
        for (std::int64_t summed = 0; summed < lines.count; ++summed) {
            const auto weight = static_cast<float>(weights.values[GradientWeights::place(line, summed)]);
            for (std::int64_t d = 0; d < strip_size; ++d) sums[d] += weight * narrow[summed * strip_size + d];
        }
    }
}

/// What is not finite. Where its weight is hidden, or may be 0 in the arithmetic, kernels may have 0 · ∞, or nothing.
void GradientSums::add_infinite(const GradientWeights& weights, const GradientLines& lines) {
    const double certain = std::max(1e-26, 2 * arithmetic_.narrow_least);
    for (const GradientLines::Infinite& each : lines.infinite) {
        for (std::int64_t line = 0; line < count_; ++line) {
            const std::size_t at = GradientWeights::place(line, each.line);
            const double weight = weights.values[at];
            if (std::abs(weight) - 4 * weights.errors[at] < certain) doubt(line);
            else sums_[room(line * size_ + each.element)] += weight * each.value;
        }
    }
}

/// The order of addition (as of any product, contraction_values.cpp), what tensor cores cut off, and weights in 16
/// bits.
double GradientSums::error_of(std::size_t line, std::size_t element, double factor) const {
    const std::size_t at = line * room(size_) + element;
    const double sum = std::abs(sums_[at]), magnitude = magnitudes_[at], largest = largest_[element];
    const auto d = static_cast<std::int64_t>(element), i = static_cast<std::int64_t>(line);
    const double plain = plain_[room((d / strip_size * count_ + i) * strip_size + d % strip_size)];
    double error = shifts_[at] + arithmetic_.unit * (magnitude + sum * (std::sqrt(terms_[line]) / 3 + 2));
    if (arithmetic_.narrow_unit != 0) {
        const double partial = std::min(magnitude, std::max(sum, std::sqrt(most_[line] * largest * magnitude)));
        error += arithmetic_.unit * std::ceil(terms_[line] / products_added_together) * partial;
        error += std::sqrt(squares_[line]) * largest + std::abs(rounded_[at]);
    }
    if (arithmetic_.is_f32 && std::isfinite(plain) && std::isfinite(sum)) error += std::abs(plain - sums_[at]);
    return error * std::abs(factor);
}

void GradientSums::finish(double factor, std::vector<double>& values, std::vector<double>& errors) const {
    values.resize(room(count_ * size_));
    errors.resize(values.size());
    for (std::size_t line = 0; line < room(count_); ++line) {
        for (std::size_t d = 0; d < room(size_); ++d) {
            const std::size_t at = line * room(size_) + d;
            const bool may_overflow = magnitudes_[at] * std::max(1.0, std::abs(factor)) >= arithmetic_.most;
            values[at] = sums_[at] * factor;
            errors[at] = error_of(line, d, factor);
            // Rounding decides whether it is stored as an infinity.
            const double size = std::abs(values[at]), error = 4 * errors[at];
            const bool is_at_edge = size + error > arithmetic_.most_stored && size - error < arithmetic_.most_stored;
            if (is_odd_[line] == 0 && !may_overflow && !is_at_edge) continue;
            if (!std::isfinite(values[at])) values[at] = 0;
            errors[at] = std::numeric_limits<double>::quiet_NaN();
        }
    }
}

}  // namespace kernelgen
