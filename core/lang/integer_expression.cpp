// SPDX-License-Identifier: Apache-2.0
#include "core/lang/integer_expression.h"

#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/lang/syntax.h"

namespace kernelgen {

struct IntegerExpression::Impl {
    ExpressionPointer root;
    std::string place;
};

namespace {

struct IntegerFunction {
    std::string_view name;
    std::size_t least, most;
};
constexpr IntegerFunction integer_functions[] = {
    {"cdiv", 2, 2}, {"min", 2, 8}, {"max", 2, 8}, {"abs", 1, 1}, {"pow2ceil", 1, 1}};

const IntegerFunction* find_integer_function(std::string_view name) {
    const auto found = std::ranges::find(integer_functions, name, &IntegerFunction::name);
    return found == std::end(integer_functions) ? nullptr : &*found;
}

/// Checks all that does not depend on values: functions exist and have the right number of arguments, numbers are
/// integers.
void check(const Expression& expression, std::string_view place, Diagnostics& diagnostics) {
    if (diagnostics.size() >= most_errors) return;
    const std::string where = place_text(place, expression.position);
    long long value = 0;
    if (expression.kind == Expression::Kind::number && !parse_integer(expression.text, value)) {
        diagnostics.push_back({"", where, say("`{}` is not a 64-bit integer", expression.text), ""});
    }
    if (expression.kind == Expression::Kind::call) {
        const IntegerFunction* function = find_integer_function(expression.text);
        std::vector<std::string> known;
        for (const IntegerFunction& each : integer_functions) known.emplace_back(each.name);
        if (function == nullptr) {
            diagnostics.push_back(
                {"", where, say("unknown function `{}`", expression.text), did_you_mean(expression.text, known)});
        } else if (expression.operands.size() < function->least || expression.operands.size() > function->most) {
            const std::size_t count = expression.operands.size();
            diagnostics.push_back(
                {"", where,
                 function->most > function->least
                     ? say("`{}` takes {} or more arguments, not {}", expression.text, function->least, count)
                     : say("`{}` takes {} arguments, not {}", expression.text, function->least, count),
                 ""});
        }
    }
    if (expression.kind == Expression::Kind::operation && expression.text == "@")
        diagnostics.push_back({"", where, "`@` multiplies matrices: it is for bodies", "use `*`"});
    for (const auto& operand : expression.operands) {
        if (!operand->keyword.empty())
            diagnostics.push_back({"", where, say("`{}` takes its arguments by position", expression.text),
                                   say("leave `{}=` out", operand->keyword)});
        check(*operand, place, diagnostics);
    }
}

void collect_names(const Expression& expression, std::vector<const Expression*>& names) {
    if (expression.kind == Expression::Kind::name) names.push_back(&expression);
    for (const auto& operand : expression.operands) collect_names(*operand, names);
}

/// The text of an expression with all parentheses.
std::string text_of(const Expression& expression, std::string_view symbol) {
    std::vector<std::string> operands;
    for (const auto& each : expression.operands) operands.push_back(text_of(*each, each->text));
    if (expression.kind == Expression::Kind::call) return expression.text + "(" + join(operands, ", ") + ")";
    if (expression.kind != Expression::Kind::operation) return expression.text;
    if (symbol == "neg") return "(-" + operands[0] + ")";
    if (symbol == "not") return "(!" + operands[0] + ")";
    if (symbol == "?") return "(" + operands[0] + " ? " + operands[1] + " : " + operands[2] + ")";
    return "(" + operands[0] + " " + std::string(symbol) + " " + operands[1] + ")";
}

bool is_arithmetic(const Expression& expression) {
    static constexpr std::string_view conditions[] = {"not", "and", "or", "<", "<=", ">", ">=", "==", "!="};
    if (expression.kind == Expression::Kind::call) return true;
    return expression.kind == Expression::Kind::operation && !std::ranges::contains(conditions, expression.text);
}

void collect_parts(const Expression& expression, std::vector<std::string>& parts) {
    const auto add = [&](std::string text) {
        if (!std::ranges::contains(parts, text)) parts.push_back(std::move(text));
    };
    if (is_arithmetic(expression)) add(text_of(expression, expression.text));
    if (expression.text == "%") add(text_of(expression, "/"));
    for (const auto& operand : expression.operands) collect_parts(*operand, parts);
}

class Calculator {
public:
    Calculator(const Sizes& values, std::string_view place) : values_(values), place_(place) {}

    Result<std::int64_t> evaluate(const Expression& expression) const {
        switch (expression.kind) {
            case Expression::Kind::number: {
                long long value = 0;
                parse_integer(expression.text, value);
                return value;
            }
            case Expression::Kind::name: {
                const auto found = values_.find(expression.text);
                if (found == values_.end()) return problem(expression, say("`{}` has no value", expression.text));
                return found->second;
            }
            case Expression::Kind::call: return call(expression);
            case Expression::Kind::operation: return operation(expression);
        }
        return problem(expression, "not an expression");
    }

private:
    std::unexpected<Error> problem(const Expression& at, const Said& message) const {
        return fail(place_text(place_, at.position) + ": " + message);
    }

    Result<std::int64_t> operation(const Expression& node) const {
        const std::string& symbol = node.text;
        const Result<std::int64_t> first = evaluate(*node.operands[0]);
        if (!first) return first;
        if (symbol == "not") return *first == 0 ? 1 : 0;
        if (symbol == "neg") return checked(node, *first, 0, symbol);
        // Conditions are lazy, so that `N == 0 or 8 % N == 0` can guard its own division.
        if (symbol == "?") return evaluate(*node.operands[*first != 0 ? 1 : 2]);
        if (symbol == "and" && *first == 0) return 0;
        if (symbol == "or" && *first != 0) return 1;
        const Result<std::int64_t> second = evaluate(*node.operands[1]);
        if (!second) return second;
        if (symbol == "and" || symbol == "or") return *second != 0 ? 1 : 0;
        if (symbol == "<") return *first < *second;
        if (symbol == "<=") return *first <= *second;
        if (symbol == ">") return *first > *second;
        if (symbol == ">=") return *first >= *second;
        if (symbol == "==") return *first == *second;
        if (symbol == "!=") return *first != *second;
        return checked(node, *first, *second, symbol);
    }

    /// Arithmetic that says when it overflows.
    Result<std::int64_t> checked(const Expression& node, std::int64_t a, std::int64_t b,
                                 std::string_view symbol) const {
        std::int64_t result = 0;
        bool overflow = false;
        if (symbol == "+") overflow = __builtin_add_overflow(a, b, &result);
        else if (symbol == "-") overflow = __builtin_sub_overflow(a, b, &result);
        else if (symbol == "neg") overflow = __builtin_sub_overflow(std::int64_t{0}, a, &result);
        else if (symbol == "*") overflow = __builtin_mul_overflow(a, b, &result);
        else if (symbol == "**") return power(node, a, b);
        else return divide(node, a, b, symbol == "%");
        if (overflow) return problem(node, "overflows a 64-bit integer");
        return result;
    }

    /// Floor division, or the remainder with the divisor's sign.
    Result<std::int64_t> divide(const Expression& node, std::int64_t a, std::int64_t b, bool remainder) const {
        if (b == 0) return problem(node, "division by zero");
        if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) {
            if (remainder) return 0;
            return problem(node, "overflows a 64-bit integer");
        }
        const std::int64_t quotient = a / b, rest = a % b;
        const bool below = rest != 0 && (rest < 0) != (b < 0);
        return remainder ? (below ? rest + b : rest) : (below ? quotient - 1 : quotient);
    }

    Result<std::int64_t> power(const Expression& node, std::int64_t base, std::int64_t exponent) const {
        if (exponent < 0) return problem(node, "a negative exponent has no integer result");
        std::int64_t result = 1;
        for (; exponent > 0; exponent /= 2) {
            if (exponent % 2 == 1 && __builtin_mul_overflow(result, base, &result)) {
                return problem(node, "overflows a 64-bit integer");
            }
            if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) {
                return problem(node, "overflows a 64-bit integer");
            }
        }
        return result;
    }

    Result<std::int64_t> call(const Expression& node) const {
        std::vector<std::int64_t> values;
        for (const auto& operand : node.operands) {
            const Result<std::int64_t> value = evaluate(*operand);
            if (!value) return value;
            values.push_back(*value);
        }
        if (node.text == "min") return *std::ranges::min_element(values);
        if (node.text == "max") return *std::ranges::max_element(values);
        if (node.text == "abs") return values[0] < 0 ? checked(node, values[0], 0, "neg") : values[0];
        if (node.text == "pow2ceil") return power_of_two(node, values[0]);
        // cdiv: the ceiling of the quotient is the floor of its negation, negated
        const Result<std::int64_t> negated = checked(node, values[0], 0, "neg");
        if (!negated) return negated;
        const Result<std::int64_t> quotient = divide(node, *negated, values[1], false);
        return quotient ? checked(node, *quotient, 0, "neg") : quotient;
    }

    Result<std::int64_t> power_of_two(const Expression& node, std::int64_t least) const {
        std::int64_t result = 1;
        while (result < least) {
            if (__builtin_mul_overflow(result, std::int64_t{2}, &result))
                return problem(node, "overflows a 64-bit integer");
        }
        return result;
    }

    const Sizes& values_;
    std::string_view place_;
};

}  // namespace

Validated<IntegerExpression> IntegerExpression::parse(std::string_view text, std::string_view place) {
    Diagnostics diagnostics;
    ExpressionPointer root = parse_expression(text, place, diagnostics);
    if (root) check(*root, place, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    IntegerExpression result;
    result.text_ = text;
    result.impl_ = std::make_shared<const Impl>(Impl{std::move(root), std::string(place)});
    return result;
}

Result<std::int64_t> IntegerExpression::evaluate(const Sizes& values) const {
    return Calculator(values, impl_->place).evaluate(*impl_->root);
}

std::vector<std::string> IntegerExpression::names() const {
    std::vector<const Expression*> places;
    collect_names(*impl_->root, places);
    std::vector<std::string> names;
    for (const Expression* each : places) {
        if (!std::ranges::contains(names, each->text)) names.push_back(each->text);
    }
    return names;
}

std::vector<std::string> IntegerExpression::parts() const {
    std::vector<std::string> parts;
    collect_parts(*impl_->root, parts);
    return parts;
}

Diagnostics IntegerExpression::check_names(const std::vector<std::string>& known) const {
    std::vector<const Expression*> places;
    collect_names(*impl_->root, places);
    Diagnostics diagnostics;
    for (const Expression* each : places) {
        if (diagnostics.size() == most_errors) break;
        if (std::ranges::contains(known, each->text)) continue;
        diagnostics.push_back({"", place_text(impl_->place, each->position), say("unknown name `{}`", each->text),
                               did_you_mean(each->text, known)});
    }
    return diagnostics;
}

}  // namespace kernelgen
