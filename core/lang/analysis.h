// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/lang/body.h"

namespace kernelgen {

/// What follows from a definition and a case, before anything runs.
///
/// FLOPs: each arithmetic operation, comparison, selection and function counts one for each element of its result; a
/// row reduction counts one for each element of its operand (`row_mean` one more a row, `row_var` three an element).
/// Transcendental functions are counted among them and again alone. Bytes count each input and each output once.
struct Analysis {
    double flops = 0;
    double transcendentals = 0;
    double bytes_read = 0;
    double bytes_written = 0;

    double bytes() const { return bytes_read + bytes_written; }
    double intensity() const { return flops / bytes(); }  ///< FLOP/byte
};

/// Whether every element of every input is needed for the outputs, whatever the inputs hold: no input is only read
/// where a condition (`?:`, `&&`, `||`) may leave it out.
bool needs_all_inputs(const Body& body);

Analysis analyse_case(const Operator& definition, const Body& body, const Case& binding);

/// The number of operations of each kind for one element and for one row, for the definition document.
struct OperationCount {
    double per_element = 0, per_row = 0, transcendentals_per_element = 0;
};
OperationCount count_operations(const Body& body);

}  // namespace kernelgen
