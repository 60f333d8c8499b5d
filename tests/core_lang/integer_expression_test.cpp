// SPDX-License-Identifier: Apache-2.0
#include "core/lang/integer_expression.h"

#include <gtest/gtest.h>

#include <limits>

namespace kernelgen {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

const Sizes values = {{"P", 1000}, {"D", 333}, {"BLOCK_M", 16}, {"zero", 0}, {"most", largest}, {"least", lowest}};

/// The value, or the error's message.
std::string value_of(std::string_view text) {
    const auto expression = IntegerExpression::parse(text, "grid[0]");
    if (!expression) return to_string(expression.error());
    const Result<std::int64_t> value = expression->evaluate(values);
    return value ? std::to_string(*value) : value.error().message.text();
}

struct GoldenInteger {
    std::string_view text, value;
};

void PrintTo(const GoldenInteger& golden, std::ostream* out) { *out << golden.text; }

class IntegerValue : public testing::TestWithParam<GoldenInteger> {};

TEST_P(IntegerValue, IsExact) { EXPECT_EQ(value_of(GetParam().text), GetParam().value); }

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, IntegerValue,
    testing::Values(GoldenInteger{"cdiv(P, BLOCK_M)", "63"}, GoldenInteger{"cdiv(1008, 16)", "63"},
                    GoldenInteger{"cdiv(1, 16)", "1"}, GoldenInteger{"cdiv(0, 16)", "0"},
                    GoldenInteger{"cdiv(-7, 2)", "-3"}, GoldenInteger{"cdiv(7, -2)", "-3"}, GoldenInteger{"7 / 2", "3"},
                    GoldenInteger{"-7 / 2", "-4"}, GoldenInteger{"7 // -2", "-4"}, GoldenInteger{"-7 // -2", "3"},
                    GoldenInteger{"7 % 3", "1"}, GoldenInteger{"-7 % 3", "2"}, GoldenInteger{"7 % -3", "-2"},
                    GoldenInteger{"-7 % -3", "-1"}, GoldenInteger{"6 % -3", "0"}, GoldenInteger{"2 ** 10", "1024"},
                    GoldenInteger{"-2 ** 2", "-4"}, GoldenInteger{"(-2) ** 63", "-9223372036854775808"},
                    GoldenInteger{"0 ** 0", "1"}, GoldenInteger{"(-1) ** 9223372036854775807", "-1"},
                    GoldenInteger{"min(P, D, 5)", "5"}, GoldenInteger{"max(P, D)", "1000"},
                    GoldenInteger{"abs(-5)", "5"}, GoldenInteger{"pow2ceil(1000)", "1024"},
                    GoldenInteger{"pow2ceil(1024)", "1024"}, GoldenInteger{"pow2ceil(0)", "1"},
                    GoldenInteger{"pow2ceil(-3)", "1"}, GoldenInteger{"9223372036854775807", "9223372036854775807"},
                    GoldenInteger{"least % -1", "0"}, GoldenInteger{"most - 1 + 1", "9223372036854775807"}));

INSTANTIATE_TEST_SUITE_P(
    Conditions, IntegerValue,
    testing::Values(GoldenInteger{"P >= 1", "1"}, GoldenInteger{"P < D", "0"},
                    GoldenInteger{"P == 1000 and D == 333", "1"}, GoldenInteger{"P == 1 || D == 333", "1"},
                    GoldenInteger{"not P", "0"}, GoldenInteger{"!zero", "1"}, GoldenInteger{"P != 1000", "0"},
                    GoldenInteger{"P <= 1000 && not (D > 333)", "1"}, GoldenInteger{"P > 512 ? 1 : 2", "1"},
                    GoldenInteger{"5 and 7", "1"}, GoldenInteger{"zero or 7", "1"},
                    GoldenInteger{"zero == 0 or 8 % zero == 0", "1"}, GoldenInteger{"zero != 0 and 8 / zero > 1", "0"},
                    GoldenInteger{"zero ? 8 / zero : 3", "3"}));

INSTANTIATE_TEST_SUITE_P(
    Errors, IntegerValue,
    testing::Values(
        GoldenInteger{"most + 1", "grid[0]:1:6: overflows a 64-bit integer"},
        GoldenInteger{"least - 1", "grid[0]:1:7: overflows a 64-bit integer"},
        GoldenInteger{"most * 2", "grid[0]:1:6: overflows a 64-bit integer"},
        GoldenInteger{"-least", "grid[0]:1:1: overflows a 64-bit integer"},
        GoldenInteger{"least / -1", "grid[0]:1:7: overflows a 64-bit integer"},
        GoldenInteger{"abs(least)", "grid[0]:1:1: overflows a 64-bit integer"},
        GoldenInteger{"2 ** 63", "grid[0]:1:3: overflows a 64-bit integer"},
        GoldenInteger{"2 ** -1", "grid[0]:1:3: a negative exponent has no integer result"},
        GoldenInteger{"pow2ceil(most)", "grid[0]:1:1: overflows a 64-bit integer"},
        GoldenInteger{"P / zero", "grid[0]:1:3: division by zero"},
        GoldenInteger{"P % zero", "grid[0]:1:3: division by zero"},
        GoldenInteger{"cdiv(P, zero)", "grid[0]:1:1: division by zero"},
        GoldenInteger{"1 + Q", "grid[0]:1:5: `Q` has no value"},
        GoldenInteger{"9223372036854775808", "grid[0]:1:1: `9223372036854775808` is not a 64-bit integer\n"},
        GoldenInteger{"1.5 * P", "grid[0]:1:1: `1.5` is not a 64-bit integer\n"},
        GoldenInteger{"cdvi(P, 2)", "grid[0]:1:1: unknown function `cdvi`; did you mean `cdiv`?\n"},
        GoldenInteger{"cdiv(P)", "grid[0]:1:1: `cdiv` takes 2 arguments, not 1\n"},
        GoldenInteger{"exp(P)", "grid[0]:1:1: unknown function `exp`\n"},
        GoldenInteger{"P +", "grid[0]:1:4: unexpected end; expected a number, a name, a function or `(`\n"}));

TEST(IntegerExpression, ListsItsNamesOnceInOrder) {
    const auto expression = IntegerExpression::parse("cdiv(P, BLOCK_M) * P + D", "grid[0]").value();
    EXPECT_EQ(expression.names(), (std::vector<std::string>{"P", "BLOCK_M", "D"}));
    EXPECT_EQ(expression.text(), "cdiv(P, BLOCK_M) * P + D");
}

TEST(IntegerExpression, PointsAtEveryUnknownName) {
    const auto expression = IntegerExpression::parse("cdiv(P, BLOCK_N) * Q", "grid[1]").value();
    EXPECT_EQ(to_string(expression.check_names({"P", "D", "BLOCK_M"})),
              "grid[1]:1:9: unknown name `BLOCK_N`; did you mean `BLOCK_M`?\ngrid[1]:1:20: unknown name `Q`\n");
}

TEST(IntegerExpression, ReportsSeveralErrors) {
    EXPECT_EQ(value_of("foo(1) + 0.5 + min(2)"),
              "grid[0]:1:1: unknown function `foo`\n"
              "grid[0]:1:10: `0.5` is not a 64-bit integer\n"
              "grid[0]:1:16: `min` takes 2 or more arguments, not 1\n");
}

TEST(IntegerExpression, RefusesTallTrees) {
    std::string text = "P";
    for (int i = 0; i < 20000; ++i) text += "+1";
    EXPECT_NE(value_of(text).find("too long"), std::string::npos);
}

}  // namespace
}  // namespace kernelgen
