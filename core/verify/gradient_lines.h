// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/dtype.h"
#include "core/verify/judge.h"

namespace kernelgen {

/// Lines that are worked on together: rows or columns of a head's scores.
inline constexpr std::int64_t gradient_lines = 64;

/// Up to 64 lines of a tensor with lines of `size` elements, in the orders in which `add_products` reads them. Lines
/// beyond the end, up to a whole group or strip, are 0.
struct GradientLines {
    struct Infinite {
        std::int64_t line = 0, element = 0;
        double value = 0;
    };
    std::int64_t count = 0, size = 0;
    std::vector<double> rows;        ///< groups of 4 lines, for one element after the other
    std::vector<double> columns;     ///< strips of 16 lines, for one element after the other
    std::vector<double> elements;    ///< strips of 16 elements, for one line after the other; 0 where not finite
    std::vector<Infinite> infinite;  ///< NaN, too

    /// Reads lines [first, first + count) of an input.
    void read(const Elements& inputs, int input, std::int64_t first_line, std::int64_t lines, std::int64_t width);
    /// The same of lines that are read already.
    void take(std::span<const double> values, std::int64_t lines, std::int64_t width);
};

/// Weights between 64 lines that are summed for and 64 lines that are summed over: numbers, and what the arithmetic may
/// make of them.
struct GradientWeights {
    static constexpr std::size_t elements = gradient_lines * gradient_lines;
    std::vector<double> values, errors;  ///< groups of 4 lines, for one summed line after the other
    std::vector<char> is_seen;           ///< the same order; a weight that is not seen is 0

    GradientWeights() : values(elements), errors(elements), is_seen(elements) {}
    /// Makes the weights of the first `lines` lines 0.
    void clear(std::int64_t lines);
    static std::size_t place(std::int64_t line, std::int64_t summed) {
        return static_cast<std::size_t>((line / 4 * gradient_lines + summed) * 4 + line % 4);
    }
};

/// The arithmetic of a case, as far as sums depend on it.
struct GradientArithmetic {
    bool is_f32 = true;         ///< else it is f64
    double unit = 0;            ///< half its spacing at 1
    double most = 0;            ///< its largest number
    double narrow_unit = 0;     ///< half the spacing at 1 of a dtype of 16 bits in which kernels hold weights; else 0
    DType narrow = DType::f32;  ///< that dtype
    double narrow_least = 0;    ///< half that dtype's smallest number
    double narrow_most = 0;     ///< its largest number
    double most_stored = 0;     ///< the largest number of the results' dtype
};

/// Sums of lines by weights for up to 64 lines: Σ w·y, and how much they may differ.
class GradientSums {
public:
    GradientSums(std::int64_t count, std::int64_t size, const GradientArithmetic& arithmetic);

    void add(const GradientWeights& weights, const GradientLines& lines);
    /// A line of which kernels may rightly have other values.
    void doubt(std::int64_t line) { is_odd_[static_cast<std::size_t>(line)] = 1; }
    /// The sums times `factor`, and their errors; NaN where they are not judged.
    void finish(double factor, std::vector<double>& values, std::vector<double>& errors) const;

private:
    void count_terms(const GradientWeights& weights, const GradientLines& lines);
    void add_plainly(const GradientWeights& weights, const GradientLines& lines, std::int64_t strip);
    void add_rounded(const GradientWeights& weights, const GradientLines& lines);
    void add_infinite(const GradientWeights& weights, const GradientLines& lines);
    double error_of(std::size_t line, std::size_t element, double factor) const;

    std::int64_t count_, size_;
    GradientArithmetic arithmetic_;
    std::vector<double> sums_, magnitudes_, shifts_;  ///< Σ w·y, Σ |w·y|, Σ δw·|y|
    std::vector<double> rounded_;                     ///< Σ w·y of weights in 16 bits, less Σ w·y
    std::vector<float> plain_;  ///< Σ w·y, one after the other in f32: strips of 16 elements of each line
    std::vector<double> squares_, most_, terms_, largest_;  ///< of each line Σ of rounding errors², max |w|, the number
                                                            ///< of weights; of each element max |y|
    std::vector<char> is_odd_;
};

}  // namespace kernelgen
