// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/formula.h"

#include <algorithm>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace kernelgen {

namespace {

using Number = std::optional<double>;

struct FormulaFunction {
    std::string_view name;
    std::size_t least, most;
};
constexpr FormulaFunction formula_functions[] = {{"min", 2, 8}, {"max", 2, 8}, {"abs", 1, 1}, {"sqrt", 1, 1}};
constexpr std::string_view formula_comparisons[] = {"<", "<=", ">", ">=", "==", "!="};

bool is_comparison(const Expression& node) {
    return node.kind == Expression::Kind::operation && std::ranges::contains(formula_comparisons, node.text);
}

Number finite(double value) { return std::isfinite(value) ? Number(value) : std::nullopt; }

/// Checks that functions exist and have as many arguments as they take, and that operators are those of numbers.
void check_formula(const Expression& node, std::string_view place, Diagnostics& diagnostics) {
    const auto error = [&](Said message, Said hint) {
        if (diagnostics.size() < most_errors)
            diagnostics.push_back({"", place_text(place, node.position), std::move(message), std::move(hint)});
    };
    double number = 0;
    if (node.kind == Expression::Kind::number && !parse_number(node.text, number)) {
        error(in_backquotes(node.text) + " is not a number", "");
    } else if (node.kind == Expression::Kind::call) {
        const auto found = std::ranges::find(formula_functions, node.text, &FormulaFunction::name);
        std::vector<std::string> known;
        for (const FormulaFunction& each : formula_functions) known.emplace_back(each.name);
        const std::size_t given = node.operands.size();
        if (found == std::end(formula_functions))
            error("unknown function " + in_backquotes(node.text), suggest(node.text, known));
        else if (given < found->least || given > found->most)
            error(say("{} does not take {} arguments", in_backquotes(node.text), given), "");
    } else if (node.kind == Expression::Kind::operation && (node.text == "//" || node.text == "%")) {
        error(say("`{}` is for integers", node.text), "write `/`");
    }
    for (const auto& operand : node.operands) check_formula(*operand, place, diagnostics);
}

void collect_formula_names(const Expression& node, std::vector<std::string>& names) {
    if (node.kind == Expression::Kind::name && !std::ranges::contains(names, node.text)) names.push_back(node.text);
    for (const auto& operand : node.operands) collect_formula_names(*operand, names);
}

double compare(std::string_view symbol, double a, double b) {
    if (symbol == "<") return a < b;
    if (symbol == "<=") return a <= b;
    if (symbol == ">") return a > b;
    if (symbol == ">=") return a >= b;
    return (a == b) == (symbol == "==");
}

class FormulaEvaluator {
public:
    explicit FormulaEvaluator(const Formula::Lookup& known) : known_(known) {}

    Number operator()(const Expression& node) const {
        switch (node.kind) {
            case Expression::Kind::number: {
                double value = 0;
                parse_number(node.text, value);
                return value;
            }
            case Expression::Kind::name: return known_(node.text);
            case Expression::Kind::call: return call(node);
            case Expression::Kind::operation: return operation(node);
        }
        return std::nullopt;
    }

private:
    Number call(const Expression& node) const {
        Number result;
        for (const auto& operand : node.operands) {
            const Number value = (*this)(*operand);
            if (!value) return std::nullopt;
            if (!result) result = value;
            else result = node.text == "min" ? std::min(*result, *value) : std::max(*result, *value);
        }
        if (node.text == "abs") return std::abs(*result);
        if (node.text == "sqrt") return finite(std::sqrt(*result));
        return result;
    }

    /// Holds or fails by one side alone where that is enough.
    Number logical(const Expression& node, double deciding) const {
        const Number first = (*this)(*node.operands[0]), second = (*this)(*node.operands[1]);
        for (const Number& each : {first, second}) {
            if (each && (*each != 0) == (deciding != 0)) return deciding;
        }
        return first && second ? Number(1 - deciding) : std::nullopt;
    }

    Number operation(const Expression& node) const {
        if (node.text == "or") return logical(node, 1);
        if (node.text == "and") return logical(node, 0);
        const Number first = (*this)(*node.operands[0]);
        if (!first) return std::nullopt;
        if (node.text == "not") return *first == 0 ? 1.0 : 0.0;
        if (node.text == "neg") return -*first;
        if (node.text == "?") return (*this)(*node.operands[*first != 0 ? 1 : 2]);
        const Number second = (*this)(*node.operands[1]);
        if (!second) return std::nullopt;
        return binary(node, *first, *second);
    }

    Number binary(const Expression& node, double a, double b) const {
        if (node.text == "+") return finite(a + b);
        if (node.text == "-") return finite(a - b);
        if (node.text == "*") return finite(a * b);
        if (node.text == "/") return b == 0 ? std::nullopt : finite(a / b);
        if (node.text == "**") return finite(std::pow(a, b));
        return compare(node.text, a, b);
    }

    const Formula::Lookup& known_;
};

void collect_comparisons(const Expression& node, const FormulaEvaluator& evaluate,
                         std::vector<Formula::Compared>& found) {
    if (is_comparison(node)) {
        const Expression &left = *node.operands[0], &right = *node.operands[1];
        if (left.kind == Expression::Kind::name) found.push_back({left.text, evaluate(right)});
        else if (right.kind == Expression::Kind::name) found.push_back({right.text, evaluate(left)});
    }
    for (const auto& operand : node.operands) collect_comparisons(*operand, evaluate, found);
}

}  // namespace

Validated<Formula> Formula::parse(std::string_view text, std::string_view place) {
    Diagnostics diagnostics;
    ExpressionPointer root = parse_expression(text, place, diagnostics);
    if (root) check_formula(*root, place, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    Formula formula;
    formula.text_ = text;
    formula.root_ = std::move(root);
    return formula;
}

std::optional<double> Formula::evaluate(const Lookup& known) const { return FormulaEvaluator(known)(*root_); }

std::vector<std::string> Formula::names() const {
    std::vector<std::string> names;
    collect_formula_names(*root_, names);
    return names;
}

std::vector<Formula::Compared> Formula::comparisons(const Lookup& known) const {
    std::vector<Compared> found;
    collect_comparisons(*root_, FormulaEvaluator(known), found);
    return found;
}

}  // namespace kernelgen
