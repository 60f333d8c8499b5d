// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/lang/lexer.h"
#include "core/lang/syntax.h"

namespace kernelgen {
namespace {

/// The tree as an S-expression: "(+ a (* b c))", calls as "(max a b)".
std::string written(const Expression& expression) {
    if (expression.operands.empty() && expression.kind != Expression::Kind::call) return expression.text;
    std::string text = "(" + expression.text;
    for (const auto& operand : expression.operands) text += " " + written(*operand);
    return text + ")";
}

std::string parsed(std::string_view text) {
    Diagnostics diagnostics;
    const ExpressionPointer expression = parse_expression(text, "body", diagnostics);
    return expression ? written(*expression) : to_string(diagnostics).text();
}

std::string errors_of(std::string_view text) {
    Diagnostics diagnostics;
    parse_assignments(text, "body", diagnostics);
    return to_string(diagnostics);
}

struct Grouping {
    std::string_view text, tree;
};

void PrintTo(const Grouping& grouping, std::ostream* out) { *out << grouping.text; }

class Precedence : public testing::TestWithParam<Grouping> {};

TEST_P(Precedence, GroupsAsWritten) { EXPECT_EQ(parsed(GetParam().text), GetParam().tree); }

INSTANTIATE_TEST_SUITE_P(
    Golden, Precedence,
    testing::Values(
        Grouping{"a + b * c", "(+ a (* b c))"}, Grouping{"(a + b) * c", "(* (+ a b) c)"},
        Grouping{"a - b - c", "(- (- a b) c)"}, Grouping{"a / b / c", "(/ (/ a b) c)"},
        Grouping{"a / b * c", "(* (/ a b) c)"}, Grouping{"a ** b ** c", "(** a (** b c))"},
        Grouping{"-a ** 2", "(neg (** a 2))"}, Grouping{"(-a) ** 2", "(** (neg a) 2)"},
        Grouping{"2 ** -a", "(** 2 (neg a))"}, Grouping{"2 ** -a ** 3", "(** 2 (neg (** a 3)))"},
        Grouping{"2 ** -a * b", "(* (** 2 (neg a)) b)"}, Grouping{"-a * b", "(* (neg a) b)"},
        Grouping{"a * -b", "(* a (neg b))"}, Grouping{"a - -b", "(- a (neg b))"}, Grouping{"--a", "(neg (neg a))"},
        Grouping{"+a + +b", "(+ a b)"}, Grouping{"a + b < c * d", "(< (+ a b) (* c d))"},
        Grouping{"a < b and c < d", "(and (< a b) (< c d))"}, Grouping{"a or b and c", "(or a (and b c))"},
        Grouping{"not a == b", "(not (== a b))"}, Grouping{"not a and b", "(and (not a) b)"},
        Grouping{"!a || b && c", "(or (not a) (and b c))"}, Grouping{"a * !b + c", "(+ (* a (not b)) c)"},
        Grouping{"!a == b", "(== (not a) b)"}, Grouping{"a and not b == c", "(and a (not (== b c)))"},
        Grouping{"a % b // c", "(// (% a b) c)"}, Grouping{"a ? b : c", "(? a b c)"},
        Grouping{"a ? b : c ? d : e", "(? a b (? c d e))"}, Grouping{"a ? b ? c : d : e", "(? a (? b c d) e)"},
        Grouping{"a > 0 ? a : -a", "(? (> a 0) a (neg a))"}, Grouping{"max(a, b + 1) * 2", "(* (max a (+ b 1)) 2)"},
        Grouping{"f(g(a), (b))", "(f (g a) b)"}, Grouping{"f()", "(f)"}));

TEST(Parser, RefusesNotWhereItWouldTakeMoreThanItSeems) {
    EXPECT_EQ(parsed("a * not b + c"), "body:1:5: `not` holds for all that follows it; write `(not …)`, or `!`\n");
    EXPECT_EQ(parsed("a * (not b) + c"), "(+ (* a (not b)) c)");
}

TEST(Parser, RefusesComparisonsInARowWhichOtherLanguagesReadInOtherWays) {
    const std::string cause =
        ": comparisons in a row; write `a < b and b < c`, or `(a < b) < c` for what a condition "
        "is compared with\n";
    EXPECT_EQ(parsed("32 <= x * y <= 1024"), "body:1:13" + cause);
    EXPECT_EQ(parsed("a == b == c"), "body:1:8" + cause);
    EXPECT_EQ(parsed("d and a < b != c"), "body:1:13" + cause);
    EXPECT_EQ(parsed("(a < b) < c"), "(< (< a b) c)");
    EXPECT_EQ(parsed("a < (b < c)"), "(< a (< b c))");
    EXPECT_EQ(parsed("a < b and b < c or c < d"), "(or (and (< a b) (< b c)) (< c d))");
}

TEST(Parser, ReadsNumbersAsWritten) {
    for (const std::string_view number : {"0", "42", "1.5", ".5", "2.", "1e3", "1.5E-7", "2e+10"}) {
        EXPECT_EQ(parsed(number), number);
    }
}

TEST(Parser, DoesNotGuessAtMalformedNumbers) {
    EXPECT_EQ(parsed("1.5.2"), "body:1:4: unexpected `.2`\n");
    EXPECT_EQ(parsed("1e"), "body:1:2: unexpected `e`\n");
    EXPECT_EQ(parsed("0x10"), "body:1:2: unexpected `x10`\n");
    EXPECT_EQ(parsed("."),
              "body:1:1: unexpected character `.`\n"
              "body:1:2: unexpected end; expected a number, a name, a function or `(`\n");
}

TEST(Parser, SeparatesAssignmentsByNewlinesAndSemicolonsAndSkipsComments) {
    Diagnostics diagnostics;
    const auto all = parse_assignments(
        "# softmax\nm = row_max(x)  # per row\r\n\n e = exp(x - m);; out = e / row_sum(e);", "body", diagnostics);
    EXPECT_EQ(to_string(diagnostics), "");
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].name + " " + written(*all[0].value), "m (row_max x)");
    EXPECT_EQ(all[1].name + " " + written(*all[1].value), "e (exp (- x m))");
    EXPECT_EQ(all[2].name + " " + written(*all[2].value), "out (/ e (row_sum e))");
    EXPECT_EQ(all[1].position.line, 4);
    EXPECT_EQ(all[1].position.column, 2);
}

TEST(Parser, ContinuesLinesWithinParentheses) {
    Diagnostics diagnostics;
    const auto all = parse_assignments("out = max(x,\n          y)\nz = (x\n  + y)", "body", diagnostics);
    EXPECT_EQ(to_string(diagnostics), "");
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(written(*all[1].value), "(+ x y)");
}

TEST(Parser, SaysWhereALineEndsTooEarly) {
    EXPECT_EQ(errors_of("a = x +\nb = x"),
              "body:1:8: unexpected end of line; expected a number, a name, a function or `(`\n");
    EXPECT_EQ(errors_of("a = (x + y; b = x"), "body:1:11: unexpected `;`; expected `)` for the `(` at body:1:5\n");
    EXPECT_EQ(errors_of("a = max(x y)"), "body:1:11: unexpected `y`; expected `,` or `)` in the arguments of `max`\n");
    EXPECT_EQ(errors_of("a = x > 0 ? x"), "body:1:14: unexpected end; expected `:` of `condition ? a : b`\n");
    EXPECT_EQ(errors_of("a = x y"), "body:1:7: unexpected `y`; expected an operator, `;` or the end of the line\n");
    EXPECT_EQ(errors_of("a x"), "body:1:3: unexpected `x`; expected `=` after `a`\n");
    EXPECT_EQ(errors_of("3 = x"), "body:1:1: unexpected `3`; expected an assignment, such as `out = x + bias`\n");
}

TEST(Parser, ReportsEveryAssignmentThatIsWrong) {
    EXPECT_EQ(errors_of("a = x +\nb = * x\nc = x\nd = f(x"),
              "body:1:8: unexpected end of line; expected a number, a name, a function or `(`\n"
              "body:2:5: unexpected `*`; expected a number, a name, a function or `(`\n"
              "body:4:8: unexpected end; expected `,` or `)` in the arguments of `f`\n");
}

TEST(Parser, GoesOnAfterASemicolonWithinOpenParentheses) {
    EXPECT_EQ(errors_of("a = (x; b = x\nc = * x"),
              "body:1:7: unexpected `;`; expected `)` for the `(` at body:1:5\n"
              "body:2:5: unexpected `*`; expected a number, a name, a function or `(`\n");
}

TEST(Parser, KeepsTheNameOfAnAssignmentThatDidNotParse) {
    Diagnostics diagnostics;
    const auto all = parse_assignments("a = x +", "body", diagnostics);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].name, "a");
    EXPECT_EQ(all[0].value, nullptr);
}

TEST(Parser, NamesCharactersThatTheLanguageLacks) {
    EXPECT_EQ(errors_of("a = x $ y"),
              "body:1:7: unexpected character `$`\n"
              "body:1:9: unexpected `y`; expected an operator, `;` or the end of the line\n");
    EXPECT_EQ(errors_of("a = x × 2"),
              "body:1:7: unexpected character `×`\n"
              "body:1:10: unexpected `2`; expected an operator, `;` or the end of the line\n");
    EXPECT_EQ(errors_of(std::string_view("a = x\0", 6)), "body:1:6: unexpected character `?`\n");
}

TEST(Parser, SuggestsTheComparisonWhereAConditionHasASingleEquals) {
    EXPECT_EQ(parsed("P = 4"), "body:1:3: unexpected `=`; a comparison is written `==`\n");
}

TEST(Parser, SaysThatAnEmptyExpressionIsNone) {
    EXPECT_EQ(parsed(""), "body:1:1: unexpected end; expected a number, a name, a function or `(`\n");
}

TEST(Parser, TakesTextsUpToItsLimit) {
    const std::string comment(longest_text - 6, '#');
    EXPECT_EQ(errors_of("a = x\n" + comment), "");
    EXPECT_EQ(errors_of("a = x\n" + comment + "#"), "body:1:1: longer than 65536 bytes\n");
}

std::string repeated(std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

TEST(Parser, RefusesWhatIsNestedTooDeeply) {
    EXPECT_EQ(errors_of("a = " + repeated("(", 150) + "x" + repeated(")", 150)), "");
    for (const std::string_view part : {"(", "-", "not ", "f(", "2 ** ", "x ? ", "x ? x : "}) {
        EXPECT_NE(errors_of("a = " + repeated(part, 5000) + "x").find("nested deeper than 200 levels"),
                  std::string::npos)
            << part;
    }
}

TEST(Parser, RefusesChainsThatWouldMakeTallTrees) {
    EXPECT_EQ(errors_of("a = x" + repeated(" + x", 990)), "");
    EXPECT_NE(errors_of("a = x" + repeated(" + x", 5000)).find("the expression is too long"), std::string::npos);
}

TEST(Parser, RefusesTallTreesMadeOfChainsWithinParentheses) {
    std::string text = "x";
    for (int level = 0; level < 30; ++level) text = "(" + text + repeated("+x", 900) + ")";
    EXPECT_NE(errors_of("a = " + text).find("the expression is too long"), std::string::npos);
}

TEST(Parser, StopsReportingAfterAHundredErrors) {
    Diagnostics diagnostics;
    parse_assignments(repeated("a = @\n", 1000), "body", diagnostics);
    EXPECT_EQ(diagnostics.size(), 100u);
}

}  // namespace
}  // namespace kernelgen
