// SPDX-License-Identifier: Apache-2.0
#include "core/generate/python_expression.h"

#include <algorithm>
#include <cmath>

#include "core/generate/source_text.h"

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

/// The forms of a function's call in operations.def, with " | " between them.
constexpr std::string_view forms_of(Op op, PythonDialect dialect) {
    const bool is_triton = dialect == PythonDialect::triton;
    switch (op) {
#define FUNCTION(op, name, least, most, traits, value, triton, torch) \
    case Op::op: return is_triton ? triton : torch;
#define REDUCTION(op, traits, per_element, per_row, torch) \
    case Op::op: return torch;  // TritonWriter writes reductions itself
#include "core/lang/operations.def"
        default: return "";
    }
}

constexpr std::string_view between_forms = " | ";
constexpr std::string_view operand_letters = "xyz";

/// Whether a text has a place for each of so many operands.
constexpr bool has_places(std::string_view text, std::size_t operands) {
    for (const char letter : operand_letters.substr(0, operands)) {
        const char end[] = {letter, '}'};
        if (!text.contains(std::string_view(end, 2))) return false;
    }
    return true;
}

#define FUNCTION(op, name, least, most, traits, value, triton, torch) \
    static_assert(has_places(triton, least) && has_places(torch, least), "operations.def: a text of " name);
#include "core/lang/operations.def"

/// A place of a form: "{=y}" is the operand 1 of kind '='; of "{FAST}", which has no operand, the kind is 'F'.
struct FormPlace {
    std::size_t begin = 0, end = 0;  ///< in the form, with its braces
    std::size_t operand = 0;
    char kind = ' ';
};

std::vector<FormPlace> places_in(std::string_view form) {
    std::vector<FormPlace> places;
    for (std::size_t begin = form.find('{'); begin != std::string_view::npos; begin = form.find('{', begin + 1)) {
        const std::size_t end = form.find('}', begin) + 1;
        const std::string_view inner = form.substr(begin + 1, end - begin - 2);
        const std::size_t operand = operand_letters.find(inner.back());
        if (operand == std::string_view::npos) places.push_back({begin, end, 0, 'F'});
        else places.push_back({begin, end, operand, inner.size() == 1 ? ' ' : inner.front()});
    }
    return places;
}

/// The names before the brackets of a form's calls.
std::set<std::string> called_in(std::string_view form) {
    constexpr std::string_view name = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    std::set<std::string> called;
    for (std::size_t at = form.find('('); at != std::string_view::npos; at = form.find('(', at + 1)) {
        const std::size_t begin = form.find_last_not_of(name, at - 1) + 1;
        called.emplace(form.substr(begin, at - begin));
    }
    return called;
}

}  // namespace

std::string python_number(double value) {
    if (std::isnan(value)) return "float(\"nan\")";
    if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
    const std::string text = number_text(value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// Whether the text is a number of Python's, not a tensor.
bool PythonExpression::is_python_number(int node) const {
    const Op op = at(node).op;
    return !names_.contains(node) && (op == Op::constant || op == Op::attribute || (op == Op::symbol && !is_triton()));
}

std::string PythonExpression::tensor(int node) const {
    const std::string text = number(node);
    if (!is_python_number(node)) return text;
    needs_.arithmetic = true;
    return is_triton() ? "tl.full((), " + text + ", T)" : "torch.tensor(" + text + ", dtype=T, device=" + device + ")";
}

/// The text of a node as an operand of a function that makes a float32 of every Python number. A number that float32
/// does not hold exactly is written by `tensor`, so that it is exact in any T.
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
        needs_.arithmetic = true;
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
    if (node.op == Op::constant) return python_number(node.value);
    const std::string& name = (node.op == Op::attribute ? attributes : symbols)[index];
    needs_.names.insert(name);
    return node.op == Op::symbol && is_triton() ? "tl.full((), " + name + ", T)" : name;
}

std::string PythonExpression::function(const std::string& name, const std::string& arguments) const {
    needs_.functions.insert(name);
    return name + "(" + arguments + ")";
}

PythonExpression::Text PythonExpression::call(const Node& node) const {
    std::string_view forms = forms_of(node.op, dialect_);
    for (std::size_t end = forms.find(between_forms); end != std::string_view::npos; end = forms.find(between_forms)) {
        if (fits(forms.substr(0, end), node)) return filled(forms.substr(0, end), node);
        forms.remove_prefix(end + between_forms.size());
    }
    return filled(forms, node);
}

/// Whether the operands that the form wants as numbers are numbers of Python's, and the others are none.
bool PythonExpression::fits(std::string_view form, const Node& node) const {
    return std::ranges::all_of(places_in(form), [&](const FormPlace& place) {
        return (place.kind == '#') == is_python_number(node.operands[place.operand]);
    });
}

/// A call in this form.
PythonExpression::Text PythonExpression::filled(std::string_view form, const Node& node) const {
    const std::vector<FormPlace> places = places_in(form);
    const auto is_number = [&](const FormPlace& each) {
        return each.kind == '=' && is_python_number(node.operands[each.operand]);
    };
    // Something must be a tensor: where no operand is, the first one that need not be becomes one.
    bool has_tensor = std::ranges::any_of(
        places, [&](const FormPlace& each) { return each.kind == ' ' || (each.kind == '=' && !is_number(each)); });
    std::string text;
    std::size_t written = 0;
    for (const FormPlace& each : places) {
        text += form.substr(written, each.begin - written);
        written = each.end;
        if (each.kind == 'F') {
            needs_.fast = true;
            text += "FAST";
            continue;
        }
        const int operand = node.operands[each.operand];
        if (each.kind == '?') text += write(operand, true, lowest);
        else if (each.kind == '#') text += number(operand);
        else if (each.kind == '=' && has_tensor) text += exact(operand);
        else text += tensor(operand);
        has_tensor = has_tensor || each.kind == '=';
    }
    needs_.functions.merge(called_in(form));
    return {text + std::string(form.substr(written)), form.ends_with(')') ? primary : product};
}

}  // namespace kernelgen
