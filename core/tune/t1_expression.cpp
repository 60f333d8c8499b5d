// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t1_expression.h"

#include <algorithm>
#include <format>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/integer_expression.h"
#include "core/lang/syntax.h"
#include "core/project/values.h"
#include "core/tune/python_condition.h"

namespace kernelgen {

namespace {

T1Text number_text(std::int64_t value) {
    return {.text = value < 0 ? std::format("({})", value) : std::to_string(value),
            .value = value,
            .is_positive = value > 0};
}

/// Makes a condition of a text that is none, by comparing it with 0: Python's `and` and `or` give one of their
/// operands, so these must be True or False.
std::string condition_text(const T1Text& written) {
    return written.is_condition ? written.text : "(" + written.text + " != 0)";
}

bool may_be_zero(const T1Text& divisor) { return divisor.value ? *divisor.value == 0 : !divisor.is_positive; }

/// The next power of two: it has as many factors of two as there are powers of two below the number.
std::string next_power_of_two(const std::string& text) {
    constexpr int most = 62;
    std::vector<std::string> terms;
    for (int i = 0; i <= most; ++i) terms.push_back(std::format("({} > {})", text, std::int64_t{1} << i));
    return "(2 ** (" + join(terms, " + ") + "))";
}

Result<T1Text> choice(const T1Text& condition, const T1Text& first, const T1Text& second) {
    if (condition.value) return *condition.value != 0 ? first : second;
    if (first.may_fail || second.may_fail)
        return fail("T1 has no `?`, and what stands for it computes both values, of which one may fail");
    const std::string is_so = condition_text(condition);
    return T1Text{.text = std::format("({} * {} + ({} == 0) * {})", is_so, first.text, is_so, second.text),
                  .is_positive = first.is_positive && second.is_positive,
                  .may_fail = condition.may_fail};
}

T1Text function_text(const std::string& name, const std::vector<T1Text>& operands) {
    std::vector<std::string> texts;
    for (const T1Text& each : operands) texts.push_back(each.text);
    T1Text made{.text = name + "(" + join(texts, ", ") + ")",
                .is_positive = std::ranges::all_of(operands, &T1Text::is_positive)};
    if (name == "cdiv") made.text = std::format("(-((-{}) // {}))", texts[0], texts[1]);
    if (name == "cdiv") made.may_fail = may_be_zero(operands[1]);
    if (name == "pow2ceil" && !operands[0].value) made.text = next_power_of_two(texts[0]);
    return made;
}

T1Text operation_text(const std::string& symbol, const std::vector<T1Text>& operands) {
    if (symbol == "neg") return {.text = "(-" + operands[0].text + ")"};
    if (symbol == "not") return {.text = "(" + operands[0].text + " == 0)", .is_condition = true};
    const T1Text &a = operands[0], &b = operands[1];
    if (symbol == "and" || symbol == "or")
        return {.text = std::format("({} {} {})", condition_text(a), symbol, condition_text(b)), .is_condition = true};
    static constexpr std::string_view comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
    const bool divides = symbol == "/" || symbol == "//" || symbol == "%";
    return {.text = std::format("({} {} {})", a.text, symbol == "/" ? "//" : symbol, b.text),
            .is_condition = std::ranges::contains(comparisons, symbol),
            .is_positive = (symbol == "+" || symbol == "*") && a.is_positive && b.is_positive,
            .may_fail = (divides && may_be_zero(b)) || (symbol == "**" && !b.is_positive)};
}

/// The number that an expression without names is, where it has one.
std::optional<std::int64_t> value_of(const std::string& text) {
    const auto expression = IntegerExpression::parse(text, "");
    const Result<std::int64_t> value = expression ? expression->evaluate({}) : fail("");
    return value ? std::optional(*value) : std::nullopt;
}

/// Writes one tree.
class TreeWriter {
public:
    TreeWriter(const std::vector<Tunable>& parameters, const Sizes& sizes,
               const std::map<std::string, Result<T1Text>>& let)
        : parameters_(parameters), sizes_(sizes), let_(let) {}

    Result<T1Text> write(const Expression& node) const {
        if (node.kind == Expression::Kind::name) return name(node.text);
        if (node.kind == Expression::Kind::number) {
            long long value = 0;
            if (!parse_integer(node.text, value)) return fail(in_backquotes(node.text) + " is not a 64-bit integer");
            return number_text(value);
        }
        std::vector<T1Text> operands;
        for (const ExpressionPointer& each : node.operands) {
            Result<T1Text> operand = write(*each);
            if (!operand) return operand;
            operands.push_back(std::move(*operand));
        }
        return combined(node, operands);
    }

private:
    Result<T1Text> name(const std::string& text) const {
        if (const auto found = std::ranges::find(parameters_, text, &Tunable::name); found != parameters_.end()) {
            const bool is_positive = std::ranges::all_of(found->values, [](std::int64_t value) { return value > 0; });
            return T1Text{.text = text, .is_positive = is_positive};
        }
        if (const auto found = sizes_.find(text); found != sizes_.end()) return number_text(found->second);
        if (const auto found = let_.find(text); found != let_.end()) return found->second;
        return fail("unknown name " + in_backquotes(text));
    }

    static Result<T1Text> unchecked(const Expression& node, const std::vector<T1Text>& operands) {
        if (node.kind == Expression::Kind::call) return function_text(node.text, operands);
        if (node.text == "?") return choice(operands[0], operands[1], operands[2]);
        return operation_text(node.text, operands);
    }

    static Result<T1Text> combined(const Expression& node, const std::vector<T1Text>& operands) {
        Result<T1Text> written = unchecked(node, operands);
        if (!written) return written;
        T1Text made = std::move(*written);
        if (made.text.size() > longest_text) return fail(say("becomes longer than {} bytes", longest_text));
        if (made.value) return made;
        if (std::ranges::all_of(operands, [](const T1Text& each) { return each.value.has_value(); })) {
            if (const auto value = value_of(made.text)) return number_text(*value);
            made.may_fail = true;
        }
        made.may_fail = made.may_fail || std::ranges::any_of(operands, &T1Text::may_fail);
        return made;
    }

    const std::vector<Tunable>& parameters_;
    const Sizes& sizes_;
    const std::map<std::string, Result<T1Text>>& let_;
};

}  // namespace

T1Expressions::T1Expressions(const std::vector<Tunable>& parameters, const Sizes& sizes,
                             const std::vector<std::string>& let)
    : parameters_(parameters), sizes_(sizes) {
    for (const std::string& line : let) {
        if (const Validated<Let> read = parse_let(line, "let"))
            let_.emplace(read->name, write(read->expression.text()));
    }
}

Result<T1Text> T1Expressions::write(std::string_view expression) const {
    // Whatever is wrong with its functions and numbers is found here.
    if (const auto read = IntegerExpression::parse(expression, ""); !read) return fail(to_string(read.error().front()));
    Diagnostics none;
    Result<T1Text> written = TreeWriter(parameters_, sizes_, let_).write(*parse_expression(expression, "", none));
    if (!written) return written;
    const Result<std::string> read_again = in_integer_language(written->text);
    if (!read_again || !IntegerExpression::parse(*read_again, "")) return fail("becomes too long, or too deep, for T1");
    return written;
}

}  // namespace kernelgen
