// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/lang/body.h"
#include "core/lang/convolution.h"
#include "core/lang/shape.h"

namespace kernelgen {

/// An operand of a contraction. What it is computed by, element by element, is its prologue.
struct ContractionOperand {
    Body values;  ///< the prologue: one output; its space is the operand's shape, before it is transposed
    bool is_transposed = false;  ///< the last two axes are read in exchanged order; nothing is copied

    bool has_prologue() const { return values.nodes.size() > 1; }  ///< otherwise it is one input
};

/// `left @ right` of a body: result[…, i, j] = Σ_k left[…, i, k] · right[…, k, j], by the rules of NumPy's `matmul`:
/// the axes before the last two (the batch) broadcast. Or a convolution of the images `left` with the kernels `right`.
struct Contraction {
    ContractionOperand left, right;
    Shape shape;        ///< of the result: batch, M, N
    std::string depth;  ///< K: the axis that is summed over; of a convolution a product of axes
    std::optional<Convolution> convolution = {};

    const std::string& rows() const { return shape[shape.size() - 2]; }
    const std::string& columns() const { return shape.back(); }
    Shape batch() const { return {shape.begin(), shape.end() - 2}; }
};

/// The sizes of a contraction on a case: `batches` products of matrices. All are at least 1. A convolution is one, too:
/// kernels by pixels for each image and group, where the channels come first, and pixels of all images by kernels
/// for each group, where they come last. Then the rows of `interleaved` products follow each other in the result.
struct ContractionSizes {
    std::int64_t batches = 1, rows = 1, depth = 1, columns = 1;
    std::int64_t interleaved = 1;

    double flops() const;  ///< two for each multiply-add
};
ContractionSizes sizes_of(const Contraction& contraction, const Sizes& sizes);

/// The convolution of a body, or null.
const Convolution* convolution_of(const Body& body);
/// Sizes that follow from others, where the operator's body has a convolution.
std::vector<DerivedSize> derived_sizes(const Operator& definition);
/// What else its sizes must meet.
std::vector<DerivedSize> required_sizes(const Operator& definition);
/// Sets the sizes that follow from others and that a case does not give.
void add_derived_sizes(const Operator& definition, Case& binding);
/// Changes sizes of all symbols until they fit the convolution or the attention, where the operator has one.
void fit_sizes(const Operator& definition, Sizes& sizes);
void fit_sizes(const Body& body, Sizes& sizes);

/// Maps a matrix of the result, numbered through the batch, to the operand's matrix.
RowMap batch_map(const Contraction& contraction, const ContractionOperand& operand, const Sizes& sizes);

/// The result as one more input of the epilogue.
Tensor result_of(const Contraction& contraction);
/// What a body reads besides its inputs, as tensors: the result of its contraction, or those of its attention.
std::vector<Tensor> computed_results(const Body& body);

/// What a node reads (`is_read`): the input, or one of `computed_results`.
Tensor read_by(const Operator& definition, const Body& body, const Node& node);

/// The operand's shape as the contraction reads it: of a transposed one, the last two axes are exchanged.
Shape shape_of(const ContractionOperand& operand);

/// The shape of `left @ right`. Nothing where they do not fit; `problem` says why.
std::optional<Shape> contracted(const Shape& left, const Shape& right, Said& problem);

/// Takes the prologues out of `body`, in which node `at` has the two operands: it becomes a leaf. The body's space and
/// outputs stay.
void split_at_contraction(Body& body, int at, int inputs, const std::optional<Convolution>& convolution = {});

/// The operand's own 8-bit floating-point dtype, where it is a matrix in memory, or one of each matrix of a batch.
std::optional<DType> byte_dtype(const Operator& definition, const ContractionOperand& operand);

/// Whether some hardware adds the products of a body as coarsely as `accumulate` may say: those of two such matrices,
/// or of attention with operands of 8 bits.
bool has_coarse_sums(const Operator& definition, const Body& body);

}  // namespace kernelgen
