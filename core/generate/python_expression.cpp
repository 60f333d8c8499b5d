// SPDX-License-Identifier: Apache-2.0
#include "core/generate/python_expression.h"

#include <algorithm>
#include <cmath>

#include "core/generate/source_text.h"
#include "core/lang/operations.h"

namespace kernelgen {

namespace {

struct PythonSymbol {
    Op op;
    const char* symbol;
    int precedence;  ///< of Python's
};

constexpr PythonSymbol python_symbols[] = {
    {Op::less, "<", 4},   {Op::less_equal, "<=", 4}, {Op::greater, ">", 4},    {Op::greater_equal, ">=", 4},
    {Op::equal, "==", 4}, {Op::not_equal, "!=", 4},  {Op::logical_or, "|", 5}, {Op::logical_and, "&", 7},
    {Op::add, "+", 9},    {Op::subtract, "-", 9},    {Op::multiply, "*", 10},  {Op::divide, "/", 10},
};

const PythonSymbol* find_symbol(Op op) {
    const auto found = std::ranges::find(python_symbols, op, &PythonSymbol::op);
    return found == std::end(python_symbols) ? nullptr : &*found;
}

bool is_logical(Op op) { return op == Op::logical_and || op == Op::logical_or; }

/// Whether Triton has the function under the language's own name, right for NaN and accurate.
bool is_in_triton(Op op) {
    constexpr Op ops[] = {Op::exp2, Op::log, Op::log2, Op::sqrt,  Op::rsqrt, Op::erf,
                          Op::sin,  Op::cos, Op::abs,  Op::floor, Op::ceil};
    return std::ranges::find(ops, op) != std::end(ops);
}

/// Those of `triton_functions` whose accuracy may follow the outputs' dtype.
bool may_be_fast(Op op) { return op == Op::exp || op == Op::expm1 || op == Op::tanh || op == Op::sigmoid; }

}  // namespace

std::string python_number(double value) {
    if (std::isnan(value)) return "float(\"nan\")";
    if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
    const std::string text = number_text(value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

bool PythonExpression::is_condition(int node) const {
    const Op op = at(node).op;
    const PythonSymbol* symbol = find_symbol(op);
    return op == Op::logical_not || op == Op::is_nan || (symbol != nullptr && symbol->precedence < sum);
}

/// Whether the text is a number of Python's, not a tensor.
bool PythonExpression::is_python_number(int node) const {
    const Op op = at(node).op;
    return !names_.contains(node) && (op == Op::constant || op == Op::attribute || (op == Op::symbol && !is_triton()));
}

std::string PythonExpression::tensor(int node) const {
    const std::string text = number(node);
    if (!is_python_number(node)) return text;
    return is_triton() ? "tl.full((), " + text + ", T)" : "torch.tensor(" + text + ", dtype=T, device=" + device + ")";
}

/// As an operand of a function that makes a float32 of every number of Python's: exact in any T.
std::string PythonExpression::exact(int node) const {
    const double value = at(node).value;
    const bool is_float = at(node).op == Op::constant &&
                          (static_cast<double>(static_cast<float>(value)) == value || !std::isfinite(value));
    return is_float ? number(node) : tensor(node);
}

std::string PythonExpression::write(int node, bool as_condition, int least_precedence) const {
    const auto named = names_.find(node);
    Text result = named != names_.end() ? Text{named->second, primary} : operation(node);
    if (is_condition(node) && !as_condition) {
        return (result.precedence < primary ? "(" + result.text + ")" : result.text) + ".to(T)";
    }
    if (!is_condition(node) && as_condition) {
        const bool is_number =
            is_python_number(node);  // a comparison of numbers would be a bool, which no `where` takes
        const std::string text = is_number ? tensor(node) : result.text;
        result = {(!is_number && result.precedence <= comparison ? "(" + text + ")" : text) + " != 0.0", comparison};
    }
    return result.precedence < least_precedence ? "(" + result.text + ")" : result.text;
}

PythonExpression::Text PythonExpression::operation(int index) const {
    const Node& node = at(index);
    if (const PythonSymbol* symbol = find_symbol(node.op)) return binary(node, symbol->symbol, symbol->precedence);
    if (node.op == Op::negate) {
        const int of = node.operands[0];
        return {"-" + (is_python_number(of) ? tensor(of) : write(of, false, unary)), unary};
    }
    if (node.op == Op::logical_not) return {write(node.operands[0], true, comparison + 1) + " == 0", comparison};
    if (node.operands.empty()) return {leaf(node), node.value < 0 ? unary : primary};
    return call(node);
}

PythonExpression::Text PythonExpression::binary(const Node& node, const std::string& symbol, int precedence) const {
    const bool conditions = is_logical(node.op);
    const bool chains = conditions || precedence >= sum;
    const auto operand = [&](int index, int least) {
        return !conditions && index == node.operands[0] && is_python_number(index) && is_python_number(node.operands[1])
                   ? tensor(index)
                   : write(index, conditions, least);
    };
    const std::string left = operand(node.operands[0], precedence + (chains ? 0 : 1));
    return {left + " " + symbol + " " + write(node.operands[1], conditions, precedence + 1), precedence};
}

std::string PythonExpression::leaf(const Node& node) const {
    const std::size_t index = static_cast<std::size_t>(node.index);
    if (node.op == Op::attribute) return attributes[index];
    if (node.op == Op::constant) return python_number(node.value);
    return is_triton() ? "tl.full((), " + symbols[index] + ", T)" : symbols[index];
}

std::string PythonExpression::function(const std::string& name, const std::string& arguments) const {
    functions_.insert(name);
    return name + "(" + arguments + ")";
}

std::string PythonExpression::choice(const Node& node, const std::string& function) const {
    const int yes = node.operands[1], no = node.operands[2];
    const bool both = is_python_number(yes) && is_python_number(no);
    return function + "(" + write(node.operands[0], true, lowest) + ", " + (both ? tensor(yes) : exact(yes)) + ", " +
           exact(no) + ")";
}

PythonExpression::Text PythonExpression::call(const Node& node) const {
    return is_triton() ? triton_call(node) : torch_call(node);
}

PythonExpression::Text PythonExpression::triton_call(const Node& node) const {
    const std::vector<int>& operands = node.operands;
    const std::string name(name_of(node.op));
    const auto arguments = [&](std::size_t from, std::string text) {
        for (std::size_t i = from; i < operands.size(); ++i) text += ", " + exact(operands[i]);
        return text;
    };
    switch (node.op) {
        case Op::select: return {choice(node, "tl.where"), primary};
        case Op::minimum: return {function("nan_minimum", arguments(1, tensor(operands[0]))), primary};
        case Op::maximum: return {function("nan_maximum", arguments(1, tensor(operands[0]))), primary};
        case Op::relu: return {function("nan_maximum", tensor(operands[0]) + ", 0.0"), primary};
        case Op::clamp: {
            const std::string raised = function("nan_maximum", tensor(operands[0]) + ", " + exact(operands[1]));
            return {function("nan_minimum", raised + ", " + exact(operands[2])), primary};
        }
        case Op::power: return {function("precise_power", tensor(operands[0]) + ", " + tensor(operands[1])), primary};
        case Op::reciprocal: return {"1.0 / " + tensor(operands[0]), product};
        case Op::is_nan: return {function("is_nan", tensor(operands[0])), primary};
        default: break;
    }
    if (is_in_triton(node.op)) return {"tl." + name + "(" + tensor(operands[0]) + ")", primary};
    const std::string called = node.op == Op::round  ? "round_to_even"
                               : node.op == Op::sign ? "sign_of"
                                                     : "precise_" + name;
    return {function(called, tensor(operands[0]) + (may_be_fast(node.op) ? ", FAST" : "")), primary};
}

/// torch.maximum and torch.minimum of tensors; a bound that is a number is torch.clamp's.
std::string PythonExpression::extreme(int a, int b, const std::string& function) const {
    if (is_python_number(a)) std::swap(a, b);
    if (is_python_number(a) || !is_python_number(b))
        return "torch." + function + "(" + tensor(a) + ", " + tensor(b) + ")";
    return "torch.clamp(" + number(a) + (function == "maximum" ? ", min=" : ", max=") + number(b) + ")";
}

PythonExpression::Text PythonExpression::torch_call(const Node& node) const {
    const std::vector<int>& operands = node.operands;
    const std::string name(name_of(node.op)), first = tensor(operands[0]);
    switch (node.op) {
        case Op::select: return {choice(node, "torch.where"), primary};
        case Op::minimum: return {extreme(operands[0], operands[1], "minimum"), primary};
        case Op::maximum: return {extreme(operands[0], operands[1], "maximum"), primary};
        case Op::clamp:
            if (is_python_number(operands[1]) && is_python_number(operands[2]) && !is_python_number(operands[0]))
                return {"torch.clamp(" + first + ", " + number(operands[1]) + ", " + number(operands[2]) + ")",
                        primary};
            return {
                "torch.minimum(torch.maximum(" + first + ", " + tensor(operands[1]) + "), " + tensor(operands[2]) + ")",
                primary};
        case Op::power:
            return {"torch.pow(" + first + ", " +
                        (is_python_number(operands[0]) ? tensor(operands[1]) : number(operands[1])) + ")",
                    primary};
        case Op::sign:
            return {"torch.where(torch.isnan(" + first + "), " + first + ", torch.sign(" + first + "))", primary};
        case Op::row_sum: return {"torch.sum(" + first + ", dim=-1, keepdim=True)", primary};
        case Op::row_mean: return {"torch.mean(" + first + ", dim=-1, keepdim=True)", primary};
        case Op::row_max: return {"torch.amax(" + first + ", dim=-1, keepdim=True)", primary};
        case Op::row_min: return {"torch.amin(" + first + ", dim=-1, keepdim=True)", primary};
        default: return {"torch." + name + "(" + first + ")", primary};
    }
}

}  // namespace kernelgen
