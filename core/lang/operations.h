// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// What a node of a body computes. Operands are evaluated in the arithmetic's precision.
enum class Op {
    constant,
    input,
    attribute,
    symbol,
    contraction,  ///< what `a @ b` of the body gives: a leaf of the epilogue (contraction.h)
    attention,    ///< one of the results of `attention(…)`: a leaf, too (attention.h)
    transpose,    ///< only while a body is analysed
#define OPERATOR(op, ...) op,
#define FUNCTION(op, ...) op,
#define REDUCTION(op, ...) op,
#include "core/lang/operations.def"
};

bool is_leaf(Op op);       ///< has no operands
bool is_computed(Op op);   ///< the contraction, or a result of attention
bool is_read(Op op);       ///< an input, or what is computed before: its values are loaded
bool is_reduction(Op op);  ///< over the operand's last axis
bool is_condition(Op op);  ///< the result is 1 or 0
bool is_transcendental(Op op);
bool is_costly(Op op);                   ///< computing it again costs more than writing and reading it in a near cache
bool may_hide_nan(Op op);                ///< the result need not be NaN where an operand is
bool is_folded(Op op);                   ///< of constants, it is computed when a kernel is generated
std::string_view name_of(Op op);         ///< of a function: the name by which bodies call it
double flops_per_element(Op reduction);  ///< of the operand
double flops_per_row(Op reduction);

/// A function or operator of bodies.
struct Operation {
    std::string_view name;
    Op op;
    int least_operands;
    int most_operands;  ///< min and max take several operands and are applied to two at a time
};

/// All functions of values, reductions included; not `transpose`, which is a way to read an operand of `@`, and not the
/// convolutions and attention.
std::span<const Operation> functions();

/// The function that a body calls by this name, or null.
const Operation* find_function(std::string_view name);

/// The operation that an operator symbol ("+", "<=", "not", "neg", "?") stands for, or null.
const Operation* find_operator(std::string_view symbol);

/// Names that a definition may not use for symbols, tensors or attributes: functions, `and or not`, `pi inf nan`.
std::vector<std::string> reserved_names();

}  // namespace kernelgen
