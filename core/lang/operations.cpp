// SPDX-License-Identifier: Apache-2.0
#include "core/lang/operations.h"

#include <algorithm>
#include <iterator>

namespace kernelgen {

namespace {

constexpr Operation all_functions[] = {
#define FUNCTION(op, name, least, most, ...) {name, Op::op, least, most},
#define REDUCTION(op, ...) {#op, Op::op, 1, 1},
#include "core/lang/operations.def"
};

constexpr Operation operators[] = {
#define OPERATOR(op, symbol, operands, ...) {symbol, Op::op, operands, operands},
#include "core/lang/operations.def"
    {"**", Op::power, 2, 2},
    {"?", Op::select, 3, 3},
};

/// Flags of an operation; operations.h says what they mean.
enum Traits : unsigned {
    plain = 0,
    leaf = 1,
    reduction = 2,
    costly = 4,
    transcendental = 8 | costly,
    folded = 16,
    hides_nan = 32,
    condition = 64 | hides_nan,
};

constexpr unsigned traits[] = {
    leaf,   // constant
    leaf,   // input
    leaf,   // attribute
    leaf,   // symbol
    leaf,   // contraction
    leaf,   // attention
    plain,  // transpose
#define OPERATOR(op, symbol, operands, traits, value) traits,
#define FUNCTION(op, name, least, most, traits, ...) traits,
#define REDUCTION(op, traits, ...) reduction | traits,
#include "core/lang/operations.def"
};

bool has(Op op, Traits trait) { return (traits[static_cast<std::size_t>(op)] & trait) == trait; }

const Operation* find(std::span<const Operation> table, std::string_view name) {
    const auto found = std::ranges::find(table, name, &Operation::name);
    return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Operation> functions() { return all_functions; }
const Operation* find_function(std::string_view name) { return find(all_functions, name); }
const Operation* find_operator(std::string_view symbol) { return find(operators, symbol); }

std::vector<std::string> reserved_names() {
    std::vector<std::string> names = {"and",
                                      "or",
                                      "not",
                                      "pi",
                                      "inf",
                                      "nan",
                                      "transpose",
                                      "conv2d",
                                      "conv2d_nhwc",
                                      "attention",
                                      "attention_backward"};
    for (const Operation& function : all_functions) names.emplace_back(function.name);
    return names;
}

bool is_leaf(Op op) { return has(op, leaf); }
bool is_computed(Op op) { return op == Op::contraction || op == Op::attention; }
bool is_read(Op op) { return op == Op::input || is_computed(op); }
bool is_reduction(Op op) { return has(op, reduction); }
bool is_condition(Op op) { return has(op, condition); }
bool is_transcendental(Op op) { return has(op, transcendental); }
bool is_costly(Op op) { return has(op, costly); }
bool may_hide_nan(Op op) { return has(op, hides_nan); }
bool is_folded(Op op) { return has(op, folded); }

std::string_view name_of(Op op) {
    const auto found = std::ranges::find(all_functions, op, &Operation::op);
    return found == std::end(all_functions) ? "" : found->name;
}

double flops_per_element(Op reduction) {
    switch (reduction) {
#define REDUCTION(op, traits, per_element, per_row, torch) \
    case Op::op: return per_element;
#include "core/lang/operations.def"
        default: return 0;
    }
}

double flops_per_row(Op reduction) {
    switch (reduction) {
#define REDUCTION(op, traits, per_element, per_row, torch) \
    case Op::op: return per_row;
#include "core/lang/operations.def"
        default: return 0;
    }
}

}  // namespace kernelgen
