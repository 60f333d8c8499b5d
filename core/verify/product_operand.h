// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/lang/contraction.h"
#include "core/verify/operand_reader.h"

namespace kernelgen {

/// An operand as the kernel of a product reads it. Its lines are the rows of the left operand, or the columns of the
/// right one. Some lines are a strip, in which the lines' elements for one k follow those for the k before. Lines
/// beyond the end are zero.
class ProductOperand {
public:
    using MakeReader = std::function<std::unique_ptr<OperandReader>()>;  ///< gives each thread its reader

    virtual ~ProductOperand() = default;
    /// Evaluates the operand, on all cores.
    virtual void fill(const MakeReader& make_reader) = 0;
    virtual std::int64_t strips() const = 0;
    /// The elements of a strip that belongs to a matrix of the result; in `room` where they are not held.
    virtual const double* strip(std::int64_t batch, std::int64_t number, std::vector<double>& room) const = 0;
    /// The largest finite magnitude in a line of a matrix of the result.
    virtual double largest(std::int64_t batch, std::int64_t line) const = 0;
    /// Whether the element lies in the padding of an image.
    virtual bool is_padding(std::int64_t batch, std::int64_t line, std::int64_t k) const = 0;
};

/// The operand of a strip's `width` lines that is matrices in memory: one of a product, or the kernels of a
/// convolution.
std::unique_ptr<ProductOperand> matrix_operand(const Contraction& contraction, bool is_left, const Sizes& sizes,
                                               std::int64_t width);
std::unique_ptr<ProductOperand> kernels_operand(const Convolution& convolution, const Sizes& sizes, std::int64_t width);
/// Images, of which each line is the patch that a kernel covers.
std::unique_ptr<ProductOperand> patches_operand(const Convolution& convolution, const Sizes& sizes, std::int64_t width);

}  // namespace kernelgen
