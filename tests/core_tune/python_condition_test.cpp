// SPDX-License-Identifier: Apache-2.0
#include "core/tune/python_condition.h"

#include <gmock/gmock.h>

#include "core/lang/integer_expression.h"

namespace kernelgen {
namespace {

std::int64_t value_of(std::string_view python) {
    const Result<std::string> text = in_integer_language(python);
    const auto expression = IntegerExpression::parse(text.value(), "condition");
    return expression.value().evaluate({{"a", 5}, {"b", 2}}).value();
}

TEST(PythonCondition, ChainsOfComparisonsHoldWhereEachDoes) {
    EXPECT_EQ(value_of("1 <= a <= 4"), 0);
    EXPECT_EQ(value_of("1 <= a <= 5"), 1);
    EXPECT_EQ(value_of("5 == a != b < 3 <= 3"), 1);
    EXPECT_EQ(value_of("not 1 < a < 4"), 1);
    EXPECT_EQ(value_of("b == 3 or 32 <= a * (4 + b) <= 40"), 0);
    EXPECT_EQ(value_of("(1 < (a > 9 > 8) < 3) or b == 2"), 1);
    EXPECT_EQ(value_of("max(a, 1 < b < 3) == 5"), 1);
}

TEST(PythonCondition, MembersOfListsTuplesSetsAndRanges) {
    EXPECT_EQ(value_of("a in [1, 3, 5]"), 1);
    EXPECT_EQ(value_of("a not in (1, 3, 5)"), 0);
    EXPECT_EQ(value_of("b in {1, 3} or a in (5,)"), 1);
    EXPECT_EQ(value_of("a in [b, b + 3] and not b in [a]"), 1);
    EXPECT_EQ(value_of("a * b in range(8, 11)"), 1);
    EXPECT_EQ(value_of("a * b in range(0, 11, 4)"), 0);
    EXPECT_EQ(value_of("a in range(b)"), 0);
    EXPECT_EQ(value_of("b in list(range(3))"), 1);
    EXPECT_EQ(value_of("-b in range(3, -3, -1)"), 1);
    EXPECT_EQ(value_of("1 < b in (1, 2) "), 1);
    EXPECT_EQ(value_of("(a in (5, 6)) == 1"), 1);
    EXPECT_EQ(value_of("a in []"), 0);
}

TEST(PythonCondition, LambdasNameTheirParametersInSubscripts) {
    EXPECT_EQ(value_of("lambda p: p['a'] * p[\"b\"] <= 10"), 1);
    EXPECT_EQ(value_of("lambda a, b: 32 <= a * b <= 64"), 0);
    EXPECT_EQ(value_of("p[ 'a' ] in [4, 5] and p['b'] == 2"), 1);
}

TEST(PythonCondition, CollectionsThatCannotBeReadAreErrors) {
    const auto cause = [](std::string_view python) { return in_integer_language(python).error().message.text(); };
    EXPECT_EQ(cause("a in b"), "`in` is followed by `b`, which is no list of integers, tuple or range");
    EXPECT_EQ(cause("a in"), "`in` is followed by ``, which is no list of integers, tuple or range");
    EXPECT_EQ(cause("a in list(range(2000))"), "`in` is followed by `list(range(2000))`, which has too many elements");
    EXPECT_EQ(cause("a in (b in (1, 2), 4)"), "has an `in` within what follows `in`: write its values");
    EXPECT_FALSE(in_integer_language("a in ['x', 'y']"));
    EXPECT_FALSE(in_integer_language("lambda: a[0] < 4"));
}

TEST(PythonCondition, WhatBothLanguagesHaveStays) {
    EXPECT_EQ(in_integer_language("a==0 or b % 32 != 0").value(), "a == 0 or b % 32 != 0");
    EXPECT_EQ(value_of("not (a // 2 == 2 and b == 2) or a % 2 == 1"), 1);
}

TEST(PythonCondition, ParenthesesThatDoNotMatchAreErrors) {
    EXPECT_FALSE(in_integer_language("a) < 4"));
    EXPECT_FALSE(IntegerExpression::parse(in_integer_language("(a < 4").value(), ""));
}

TEST(PythonCondition, ChainsInChainsDoNotGrowWithoutEnd) {
    std::string nested = "a";
    for (int i = 0; i < 60; ++i) nested = "1 < (" + nested + ") < 3";
    EXPECT_THAT(in_integer_language(nested).error().message, testing::HasSubstr("too many comparisons"));
}

}  // namespace
}  // namespace kernelgen
