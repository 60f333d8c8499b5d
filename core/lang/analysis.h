// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/lang/body.h"

namespace kernelgen {

/// FLOPs and bytes of an operator on one case, computed from the definition alone.
///
/// FLOPs: each arithmetic operation, comparison, selection and function counts one for each element of its result. A
/// row reduction counts one for each element of its operand; `row_mean` counts one more for each row, `row_var` counts
/// three for each element. A contraction counts two for each multiply-add; its prologues count once for each element of
/// their operand. Attention counts four for each score that its row sees by its place (causal, window; not by lengths
/// and masks, which are values) and each element of a head, `attention_backward` 2.5 times that. Transcendental
/// functions count in `flops` like others, and are counted separately in `transcendentals`. Bytes count each input and
/// each output once.
struct Analysis {
    double flops = 0;
    double transcendentals = 0;
    double bytes_read = 0;
    double bytes_written = 0;
    std::optional<DType> multiplied = {};  ///< of a contraction: the dtype of both operands, where they have one

    double bytes() const { return bytes_read + bytes_written; }
    double intensity() const { return flops / bytes(); }  ///< FLOP/byte
};

/// Whether the outputs need every element of every input for all input values: no input is read only in a branch that a
/// condition (`?:`, `&&`, `||`) may skip, and no window of a convolution misses an element.
bool needs_all_inputs(const Body& body, const Sizes& sizes);

Analysis analyse_case(const Operator& definition, const Body& body, const Case& binding);

/// The number of operations of each kind for one element and for one row, for the definition document.
struct OperationCount {
    double per_element = 0, per_row = 0, transcendentals_per_element = 0;
};
OperationCount count_operations(const Body& body);

}  // namespace kernelgen
