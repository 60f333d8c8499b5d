// SPDX-License-Identifier: Apache-2.0
// Every function and operator of bodies against values computed elsewhere: mpmath 1.3 at 50 digits, rounded to double
// (`repr(float(mpmath.expm1(mpf(x))))` and so on).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/lang/operations.h"
#include "tests/core_lang/evaluate.h"

namespace kernelgen {
namespace {

struct Golden {
    std::string_view function;
    double x, value;
};

constexpr Golden golden[] = {
    {"exp", -700, 9.85967654375977e-305},
    {"exp", -1, 0.36787944117144233},
    {"exp", -1e-10, 0.9999999999},
    {"exp", 0.5, 1.6487212707001282},
    {"exp", 30, 10686474581524.463},
    {"exp", 709, 8.218407461554972e+307},
    {"exp2", -1022.5, 1.5733648139913585e-308},
    {"exp2", -0.5, 0.7071067811865476},
    {"exp2", 10.5, 1448.1546878700494},
    {"expm1", -40, -1.0},
    {"expm1", -1e-08, -9.999999950000001e-09},
    {"expm1", 1e-12, 1.0000000000005e-12},
    {"expm1", 20, 485165194.4097903},
    {"log", 5e-324, -744.4400719213812},
    {"log", 0.001, -6.907755278982137},
    {"log", 1.0000001, 9.999999505838704e-08},
    {"log", 1e+300, 690.7755278982137},
    {"log2", 0.1, -3.321928094887362},
    {"log2", 3, 1.584962500721156},
    {"log1p", -0.5, -0.6931471805599453},
    {"log1p", 1e-15, 9.999999999999995e-16},
    {"log1p", 1000000.0, 13.815511557963774},
    {"sqrt", 2, 1.4142135623730951},
    {"sqrt", 1e-310, 9.999999999999986e-156},
    {"rsqrt", 2, 0.7071067811865476},
    {"rsqrt", 1e-300, 1e+150},
    {"reciprocal", -7, -0.14285714285714285},
    {"tanh", -20, -1.0},
    {"tanh", -0.5, -0.46211715726000974},
    {"tanh", 1e-09, 1e-09},
    {"tanh", 3, 0.9950547536867305},
    {"sigmoid", -700, 9.85967654375977e-305},
    {"sigmoid", -30, 9.357622968839299e-14},
    {"sigmoid", -1, 0.2689414213699951},
    {"sigmoid", 0.5, 0.6224593312018546},
    {"erf", -6, -1.0},
    {"erf", -0.5, -0.5204998778130465},
    {"erf", 1e-10, 1.1283791670955126e-10},
    {"erf", 1, 0.8427007929497149},
    {"erf", 3, 0.9999779095030014},
    {"sin", -2, -0.9092974268256817},
    {"sin", 100, -0.5063656411097588},
    {"cos", -2, -0.4161468365471424},
    {"cos", 100, 0.8623188722876839},
    {"abs", -2.5, 2.5},
    {"sign", -2.5, -1},
    {"sign", 0, 0},
    {"sign", 1e-300, 1},
    {"floor", -2.5, -3},
    {"ceil", -2.5, -2},
    {"round", 2.5, 2},
    {"round", 3.5, 4},
    {"round", -0.6, -1},
    {"relu", -3, 0},
    {"relu", 3, 3},
    {"isnan", 1, 0},
};

TEST(Functions, OfOneOperandHaveGoldenValues) {
    for (const Operation& each : functions()) {
        if (each.most_operands > 1 || is_reduction(each.op)) continue;
        EXPECT_TRUE(std::ranges::contains(golden, each.name, &Golden::function)) << each.name;
    }
}

TEST(Functions, AreWithinTwoUnitsInDouble) {
    for (const auto& [function, x, value] : golden) {
        const double result = on_row("out = " + std::string(function) + "(x)", {x})[0];
        EXPECT_NEAR(result, value, std::abs(value) * 4.5e-16) << function << "(" << x << ")";
    }
}

TEST(Functions, AreWithinFourUnitsInFloat) {
    for (const auto& [function, x, value] : golden) {
        const bool exact = static_cast<double>(static_cast<float>(x)) == x;
        if (!exact || std::abs(value) > 3e38 || (value != 0 && std::abs(value) < 1e-30)) continue;
        const float result = on_row<float>("out = " + std::string(function) + "(x)", {x})[0];
        EXPECT_NEAR(result, value, std::abs(value) * 2.4e-7) << function << "(" << x << ")";
    }
}

TEST(Functions, OfSeveralArgumentsMatch) {
    EXPECT_NEAR(on_row("out = pow(x, 3.5)", {2.5})[0], 24.705294220065465, 1e-14);
    EXPECT_NEAR(on_row("out = x ** -2.25", {0.1})[0], 177.82794100389225, 1e-13);
    EXPECT_EQ(on_row("out = min(x, 2, -1)", {-3, 0, 5}), (std::vector<double>{-3, -1, -1}));
    EXPECT_EQ(on_row("out = max(x, y)", {-3, 0, 5}, {1, -1, 5.5}), (std::vector<double>{1, 0, 5.5}));
    EXPECT_EQ(on_row("out = clamp(x, -1, 1)", {-3, 0.25, 5}), (std::vector<double>{-1, 0.25, 1}));
    EXPECT_EQ(on_row("out = where(x > 0, x, y)", {-3, 2}, {7, 8}), (std::vector<double>{7, 2}));
}

TEST(Operators, Compute) {
    EXPECT_EQ(on_row("out = x + y * 2 - 1 / x", {2, 4}, {3, 5}), (std::vector<double>{7.5, 13.75}));
    EXPECT_EQ(on_row("out = -x ** 2", {3})[0], -9);
    EXPECT_EQ(on_row("out = 2 ** x", {-1, 0.5 + 0.5, 3}), (std::vector<double>{0.5, 2, 8}));
    EXPECT_EQ(on_row("out = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y)",
                     {1, 2, 3}, {2, 2, 2}),
              (std::vector<double>{1 + 2 + 32, 2 + 8 + 16, 4 + 8 + 32}));
    EXPECT_EQ(on_row("out = (x and y) + 2 * (x or y) + 4 * (not x)", {0, 0, 3, -1}, {0, 2, 0, 5}),
              (std::vector<double>{4, 6, 2, 3}));
    EXPECT_EQ(on_row("out = x > 0 ? x : x < -1 ? -1 : 0", {-5, -0.5, 2}), (std::vector<double>{-1, 0, 2}));
}

TEST(Constants, HaveTheirValues) {
    EXPECT_EQ(on_row("out = x * pi", {1})[0], 3.141592653589793);
    EXPECT_EQ(on_row("out = x + inf", {1})[0], inf);
    EXPECT_TRUE(std::isnan(on_row("out = x * nan", {1})[0]));
    EXPECT_EQ(on_row("out = x * 1e-3 + .5 + 2. + eps", {0})[0], 0.5 + 2.0 + 1e-5);
}

TEST(Constants, KeepTheSignOfZero) {
    EXPECT_FALSE(std::signbit(on_row("t = x * -0.0; out = x * 0.0 + 0 * t", {1})[0]));
    EXPECT_TRUE(std::signbit(on_row("out = x * -0.0", {1})[0]));
}

TEST(Symbols, HaveTheirSizesAsValues) { EXPECT_EQ(on_row("out = x / D", {6, 0, 0})[0], 2); }

TEST(NaN, PassesThroughMinMaxClampAndRelu) {
    for (const char* body : {"min(x, y)", "max(x, y)", "min(y, x)", "max(y, x)", "clamp(x, -1, 1)", "clamp(y, x, 1)",
                             "clamp(y, -1, x)", "relu(x)", "sign(x)", "round(x)"}) {
        const std::string names = std::string(body).find('y') == std::string::npos ? " + 0 * y" : "";
        EXPECT_TRUE(std::isnan(on_row("out = " + std::string(body) + names, {nan}, {0.5})[0])) << body;
    }
}

TEST(NaN, ComparesFalseWithEverything) {
    for (const char* comparison : {"<", "<=", ">", ">=", "=="}) {
        EXPECT_EQ(on_row("out = x " + std::string(comparison) + " y", {nan, 1, nan}, {1, nan, nan}),
                  std::vector<double>(3, 0));
    }
    EXPECT_EQ(on_row("out = x != y", {nan, 1}, {nan, 1}), (std::vector<double>{1, 0}));
    EXPECT_EQ(on_row("out = isnan(x)", {nan, inf, 0}), (std::vector<double>{1, 0, 0}));
    EXPECT_EQ(on_row("out = x > 0 ? 1 : 2", {nan})[0], 2);
}

TEST(NaN, OfTheBranchNotTakenDoesNotMatter) {
    EXPECT_EQ(on_row("out = x > 0 ? log(x) : 0", {-1, 1}), (std::vector<double>{0, 0}));
}

TEST(Infinities, FollowIEEE) {
    EXPECT_EQ(on_row("out = exp(x)", {inf, -inf, 1000}), (std::vector<double>{inf, 0, inf}));
    EXPECT_EQ(on_row("out = sigmoid(x)", {inf, -inf}), (std::vector<double>{1, 0}));
    EXPECT_EQ(on_row("out = tanh(x)", {inf, -inf}), (std::vector<double>{1, -1}));
    EXPECT_EQ(on_row("out = rsqrt(x)", {0, inf}), (std::vector<double>{inf, 0}));
    EXPECT_EQ(on_row("out = 1 / x", {0.0, -0.0}), (std::vector<double>{inf, -inf}));
    EXPECT_EQ(on_row("out = log(x)", {0, inf}), (std::vector<double>{-inf, inf}));
    for (const char* body : {"log(x)", "sqrt(x)", "rsqrt(x)", "x - x + inf - inf"}) {
        EXPECT_TRUE(std::isnan(on_row(std::string("out = ") + body, {-1})[0])) << body;
    }
}

TEST(FloatArithmetic, RoundsEveryOperation) {
    EXPECT_EQ(on_row<float>("out = (x + 1) - x", {16777216})[0], 0.0f);
    EXPECT_EQ(on_row<double>("out = (x + 1) - x", {16777216})[0], 1.0);
    EXPECT_EQ(on_row<float>("out = x * 1e30 * 1e30", {1})[0], std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace kernelgen
