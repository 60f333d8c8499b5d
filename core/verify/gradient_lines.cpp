// SPDX-License-Identifier: Apache-2.0
#include "core/verify/gradient_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/verify/product_kernel.h"

namespace kernelgen {

namespace {

constexpr std::int64_t group_size = ProductTile::rows, strip_size = ProductTile::columns;
constexpr double added_together = 8;  ///< products that tensor cores of sm_80 add to a sum

std::size_t room(std::int64_t count) { return static_cast<std::size_t>(count); }

}  // namespace

void GradientLines::read(const Elements& inputs, int input, std::int64_t first_line, std::int64_t lines,
                         std::int64_t width) {
    count = lines;
    size = width;
    const std::int64_t strips = (size + strip_size - 1) / strip_size;
    rows.assign(room(gradient_lines * size), 0);
    columns.assign(room(gradient_lines * size), 0);
    elements.assign(room(gradient_lines * strips * strip_size), 0);
    largest.assign(room(size), 0);
    infinite.clear();
    std::vector<double> values(room(count * size));
    inputs(input, first_line * size, values);
    for (std::int64_t line = 0; line < count; ++line) {
        for (std::int64_t d = 0; d < size; ++d) {
            const double value = values[room(line * size + d)];
            rows[room((line / group_size * size + d) * group_size + line % group_size)] = value;
            columns[room((line / strip_size * size + d) * strip_size + line % strip_size)] = value;
            if (!std::isfinite(value)) {
                infinite.push_back({line, d, value});
                continue;
            }
            elements[room((d / strip_size * gradient_lines + line) * strip_size + d % strip_size)] = value;
            largest[room(d)] = std::max(largest[room(d)], std::abs(value));
        }
    }
}

GradientSums::GradientSums(std::int64_t size, const GradientArithmetic& arithmetic)
    : size_(size), arithmetic_(arithmetic), largest_(room(size)), is_odd_(gradient_lines) {
    for (auto* each : {&sums_, &magnitudes_, &shifts_}) each->assign(room(gradient_lines * size), 0);
    plain_.assign(room((size + strip_size - 1) / strip_size * strip_size * gradient_lines), 0);
    for (auto* each : {&squares_, &most_, &terms_}) each->assign(gradient_lines, 0);
}

void GradientSums::add(const GradientWeights& weights, const GradientLines& lines) {
    for (std::int64_t line = 0; line < gradient_lines; ++line) {
        for (std::int64_t summed = 0; summed < lines.count; ++summed) {
            const std::size_t at = GradientWeights::place(line, summed);
            if (weights.is_seen[at] == 0) continue;
            const double weight = std::abs(weights.values[at]);
            const double rounding = std::max(arithmetic_.narrow_unit * weight, arithmetic_.narrow_least);
            terms_[room(line)] += 1;
            most_[room(line)] = std::max(most_[room(line)], weight);
            squares_[room(line)] += rounding * rounding;
        }
    }
    for (std::int64_t d = 0; d < size_; ++d) largest_[room(d)] = std::max(largest_[room(d)], lines.largest[room(d)]);
    for (std::int64_t strip = 0; strip * strip_size < size_; ++strip) {
        const double* const right = lines.elements.data() + strip * gradient_lines * strip_size;
        const std::int64_t width = std::min(strip_size, size_ - strip * strip_size);
        if (arithmetic_.is_f32) add_plainly(weights, lines, strip);
        for (std::int64_t group = 0; group * group_size < gradient_lines; ++group) {
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
    if (!lines.infinite.empty()) add_infinite(weights, lines);
}

/// Many equal terms, as of inputs that are all ones, are rounded in one direction: what that costs is seen in such a
/// sum.
void GradientSums::add_plainly(const GradientWeights& weights, const GradientLines& lines, std::int64_t strip) {
    float narrow[gradient_lines * strip_size];
    std::copy_n(lines.elements.data() + strip * gradient_lines * strip_size, lines.count * strip_size, narrow);
    for (std::int64_t line = 0; line < gradient_lines; ++line) {
        float* const sums = plain_.data() + (strip * gradient_lines + line) * strip_size;
        for (std::int64_t summed = 0; summed < lines.count; ++summed) {
            const auto weight = static_cast<float>(weights.values[GradientWeights::place(line, summed)]);
            for (std::int64_t d = 0; d < strip_size; ++d) sums[d] += weight * narrow[summed * strip_size + d];
        }
    }
}

/// What is not finite. Where its weight is hidden, or may be 0 in the arithmetic, kernels may have 0 · ∞, or nothing.
void GradientSums::add_infinite(const GradientWeights& weights, const GradientLines& lines) {
    constexpr double certain = 1e-26;
    for (const GradientLines::Infinite& each : lines.infinite) {
        for (std::int64_t line = 0; line < gradient_lines; ++line) {
            const double weight = weights.values[GradientWeights::place(line, each.line)];
            if (std::abs(weight) < certain) doubt(line);
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
    const double plain = plain_[room((d / strip_size * gradient_lines + i) * strip_size + d % strip_size)];
    double error = shifts_[at] + arithmetic_.unit * (magnitude + sum * (std::sqrt(terms_[line]) / 3 + 2));
    if (arithmetic_.narrow_unit != 0) {
        const double partial = std::min(magnitude, std::max(sum, std::sqrt(most_[line] * largest * magnitude)));
        error += arithmetic_.unit * std::ceil(terms_[line] / added_together) * partial;
        error += std::sqrt(squares_[line]) * largest;
    }
    if (arithmetic_.is_f32 && std::isfinite(plain) && std::isfinite(sum)) error += std::abs(plain - sums_[at]);
    return error * std::abs(factor);
}

void GradientSums::finish(std::int64_t count, double factor, std::vector<double>& values,
                          std::vector<double>& errors) const {
    values.resize(room(count * size_));
    errors.resize(values.size());
    for (std::size_t line = 0; line < room(count); ++line) {
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
