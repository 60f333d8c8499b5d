// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/lang/contraction.h"
#include "core/verify/judge.h"

namespace kernelgen {

/// The result of a body's contraction on a case's inputs, in float64. It is computed block by block, when an element of
/// a block is first read, by whichever thread reads it; so several threads share the work. Safe for several threads.
class ContractionValues {
public:
    /// The first three arguments must outlive it. Reading throws std::bad_alloc where memory is short: it holds both
    /// operands, and two numbers for each element of the result.
    ContractionValues(const Operator& definition, const Body& body, const Case& binding, Elements inputs);
    ~ContractionValues();

    /// Elements [first, first + values.size()) of the result.
    void read(std::int64_t first, std::span<double> values);
    /// The same as the arithmetic of the case may have them: the operands rounded as their prologues are computed in
    /// it, and a rounding error of u·(Σ|a·b| + |Σa·b|·√K/3), where u is half the arithmetic's spacing at 1, and of
    /// operands of 16 bits, and of coarser sums that the definition allows, what tensor cores cut off. NaN where a
    /// partial sum may overflow in that arithmetic, or an operand in it or in the case's dtype. docs/CONTRACTIONS.md
    /// says why.
    void read_rounded(std::int64_t first, std::span<double> values);

private:
    class Product;

    const Elements inputs_;
    std::unique_ptr<Product> exact_;
    std::unique_ptr<Product> rounded_;  ///< of rounded operands; null where these have no prologue
    double unit_ = 0, most_ = 0;        ///< of the arithmetic: u, and its largest number
    double depth_ = 1;                  ///< products of an element
    double most_stored_ = 0;            ///< the largest number of the case's dtype
    bool is_for_tensor_cores_ = false;
    std::optional<AccumulationError> accumulation_;
};

/// `inputs` with the result of the body's contraction as one more input, or with those of its attention. Without them,
/// `inputs` as they are.
struct InputsWithContraction {
    Elements exact, rounded;  ///< `rounded` is empty where nothing was added
};
InputsWithContraction with_contraction(const Operator& definition, const Body& body, const Case& binding,
                                       Elements inputs);

}  // namespace kernelgen
