// SPDX-License-Identifier: Apache-2.0
#include "core/lang/operations.h"

#include <algorithm>
#include <iterator>

namespace kernelgen {

namespace {

constexpr Operation functions[] = {
    {"min", Op::minimum, 2, 16},    {"max", Op::maximum, 2, 16},
    {"pow", Op::power, 2, 2},       {"where", Op::select, 3, 3},
    {"clamp", Op::clamp, 3, 3},     {"exp", Op::exp, 1, 1},
    {"exp2", Op::exp2, 1, 1},       {"expm1", Op::expm1, 1, 1},
    {"log", Op::log, 1, 1},         {"log2", Op::log2, 1, 1},
    {"log1p", Op::log1p, 1, 1},     {"sqrt", Op::sqrt, 1, 1},
    {"rsqrt", Op::rsqrt, 1, 1},     {"reciprocal", Op::reciprocal, 1, 1},
    {"tanh", Op::tanh, 1, 1},       {"sigmoid", Op::sigmoid, 1, 1},
    {"erf", Op::erf, 1, 1},         {"sin", Op::sin, 1, 1},
    {"cos", Op::cos, 1, 1},         {"abs", Op::abs, 1, 1},
    {"sign", Op::sign, 1, 1},       {"floor", Op::floor, 1, 1},
    {"ceil", Op::ceil, 1, 1},       {"round", Op::round, 1, 1},
    {"relu", Op::relu, 1, 1},       {"isnan", Op::is_nan, 1, 1},
    {"row_sum", Op::row_sum, 1, 1}, {"row_max", Op::row_max, 1, 1},
    {"row_min", Op::row_min, 1, 1}, {"row_mean", Op::row_mean, 1, 1},
    {"row_var", Op::row_var, 1, 1},
};

constexpr Operation operators[] = {
    {"neg", Op::negate, 1, 1},   {"not", Op::logical_not, 1, 1},  {"+", Op::add, 2, 2},
    {"-", Op::subtract, 2, 2},   {"*", Op::multiply, 2, 2},       {"/", Op::divide, 2, 2},
    {"**", Op::power, 2, 2},     {"<", Op::less, 2, 2},           {"<=", Op::less_equal, 2, 2},
    {">", Op::greater, 2, 2},    {">=", Op::greater_equal, 2, 2}, {"==", Op::equal, 2, 2},
    {"!=", Op::not_equal, 2, 2}, {"and", Op::logical_and, 2, 2},  {"or", Op::logical_or, 2, 2},
    {"?", Op::select, 3, 3},
};

template <std::size_t size>
const Operation* find(const Operation (&table)[size], std::string_view name) {
    const auto found = std::ranges::find(table, name, &Operation::name);
    return found == std::end(table) ? nullptr : &*found;
}

}  // namespace

const Operation* find_function(std::string_view name) { return find(functions, name); }
const Operation* find_operator(std::string_view symbol) { return find(operators, symbol); }

std::vector<std::string> reserved_names() {
    std::vector<std::string> names = {"and", "or", "not", "pi", "inf", "nan"};
    for (const Operation& function : functions) names.emplace_back(function.name);
    return names;
}

bool is_leaf(Op op) { return op <= Op::symbol; }

bool is_reduction(Op op) { return op >= Op::row_sum; }

bool is_transcendental(Op op) {
    switch (op) {
        case Op::power:
        case Op::exp:
        case Op::exp2:
        case Op::expm1:
        case Op::log:
        case Op::log2:
        case Op::log1p:
        case Op::tanh:
        case Op::sigmoid:
        case Op::erf:
        case Op::sin:
        case Op::cos: return true;
        default: return false;
    }
}

std::string_view name_of(Op op) {
    switch (op) {
        case Op::constant: return "constant";
        case Op::input: return "input";
        case Op::attribute: return "attribute";
        case Op::symbol: return "symbol";
        case Op::negate: return "-";
        case Op::select: return "where";
        default: break;
    }
    for (const Operation& each : functions) {
        if (each.op == op && op != Op::power) return each.name;
    }
    for (const Operation& each : operators) {
        if (each.op == op) return each.name;
    }
    return "";
}

}  // namespace kernelgen
