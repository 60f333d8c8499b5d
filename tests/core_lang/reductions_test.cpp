// SPDX-License-Identifier: Apache-2.0
// Row reductions, rows longer than a block, and tensors that repeat. Expected values: mpmath 1.3 at 50 digits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/core_lang/evaluate.h"

namespace kernelgen {
namespace {

const std::string softmax = "m = row_max(x); e = exp(x - m); out = e / row_sum(e)";
const std::string layer_norm = "out = (x - row_mean(x)) * rsqrt(row_var(x) + eps)";

template <class T>
void expect_near(const std::vector<T>& values, const std::vector<double>& expected, double relative) {
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(values[i], expected[i], std::abs(expected[i]) * relative) << "element " << i;
    }
}

/// 5,000 values, so two whole blocks and a part: ((7919 i) mod 1000) / 1000 − 0.25.
std::vector<double> long_row() {
    std::vector<double> row(5000);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i * 7919 % 1000) / 1000 - 0.25;
    return row;
}

TEST(Softmax, MatchesOnRows) {
    expect_near(on_row(softmax, {1, 2, 3, 4}),
                {0.03205860328008499, 0.08714431874203257, 0.23688281808991013, 0.6439142598879724}, 4e-16);
    expect_near(on_row(softmax, {-1000, 0, 1000, 999}), {0, 0, 0.7310585786300049, 0.2689414213699951}, 4e-16);
    expect_near(on_row(softmax, {-3.5, 0.25, 2.75, 1e-3}),
                {0.0016815696035037517, 0.07150215899939609, 0.8710746201874023, 0.05574165120969782}, 4e-16);
    expect_near(on_row<float>(softmax, {1, 2, 3, 4}),
                {0.03205860328008499, 0.08714431874203257, 0.23688281808991013, 0.6439142598879724}, 2.4e-7);
}

TEST(Softmax, MatchesOnARowLongerThanABlock) {
    const std::vector<double> result = on_row(softmax, long_row());
    ASSERT_EQ(result.size(), 5000u);
    expect_near<double>({result[0], result[2047], result[2048], result[4999]},
                        {0.00011645355844862655, 0.00014124451728641225, 0.00013025480279266826, 0.0001262788495833268},
                        1e-15);
    EXPECT_NEAR(std::accumulate(result.begin(), result.end(), 0.0), 1, 1e-13);
}

TEST(Softmax, OfARowWithNaNIsNaN) {
    for (const double value : on_row(softmax, {1, nan, 3})) EXPECT_TRUE(std::isnan(value));
}

TEST(LayerNorm, MatchesOnRows) {
    expect_near(on_row(layer_norm, {1, 2, 3, 4}),
                {-1.3416354199689269, -0.447211806656309, 0.447211806656309, 1.3416354199689269}, 4e-16);
    expect_near(on_row(layer_norm, {100000.5, 100001.5, 99999.25, 100000.0}),
                {0.22941401662587024, 1.4529554386305117, -1.3000127608799315, -0.3823566943764504}, 4e-16);
    expect_near(on_row<float>(layer_norm, {-1, 1, -1, 1}),
                {-0.9999950000374996, 0.9999950000374996, -0.9999950000374996, 0.9999950000374996}, 1.2e-7);
}

TEST(Reductions, MatchOnARowLongerThanABlock) {
    const Operator definition =
        define("sum = row_sum(x); mean = row_mean(x); var = row_var(x); top = row_max(x); low = row_min(x)", "x:D",
               "sum: mean: var: top: low:");
    const double expected[] = {1247.5, 0.2495, 0.08333325, 0.749, -0.25};
    for (std::size_t i = 0; i < 5; ++i) {
        const auto result = evaluate<double>(definition, {{"D", 5000}}, {long_row()}, i);
        ASSERT_EQ(result.size(), 1u);
        EXPECT_NEAR(result[0], expected[i], std::abs(expected[i]) * 4e-16) << i;
    }
}

TEST(Reductions, FindTheExtremeInEachBlock) {
    for (const std::size_t place : {0, 2047, 2048, 4095, 4096, 4999}) {
        std::vector<double> row(5000, 0.5);
        row[place] = 2;
        EXPECT_EQ(on_row("out = row_max(x)", row)[0], 2) << place;
        row[place] = -2;
        EXPECT_EQ(on_row("out = row_min(x)", row)[0], -2) << place;
    }
}

TEST(Reductions, PropagateNaNFromEveryBlock) {
    for (const std::size_t place : {0, 1, 2047, 2048, 4999}) {
        std::vector<double> row(5000, 0.5);
        row[place] = nan;
        for (const char* reduction : {"row_sum", "row_max", "row_min", "row_mean", "row_var"}) {
            EXPECT_TRUE(std::isnan(on_row(std::string("out = ") + reduction + "(x)", row)[0]))
                << reduction << " " << place;
        }
    }
}

TEST(Reductions, CarryInfinities) {
    EXPECT_EQ(on_row("out = row_sum(x)", {1, inf, 2})[0], inf);
    EXPECT_EQ(on_row("out = row_max(x)", {1, -inf, 2})[0], 2);
    EXPECT_EQ(on_row("out = row_min(x)", {1, -inf, 2})[0], -inf);
    EXPECT_TRUE(std::isnan(on_row("out = row_sum(x)", {inf, -inf})[0]));
    std::vector<double> row(5000, 1);
    row[10] = inf;
    EXPECT_EQ(on_row("out = row_sum(x)", row)[0], inf);
}

TEST(Reductions, DoNotLoseSmallTermsOfALongRowInFloat) {
    // 4e6 × 0.1 in float: summing one after the other would give about 384,524.
    const std::vector<double> row(4'000'000, static_cast<double>(0.1f));
    EXPECT_NEAR(on_row<float>("out = row_sum(x)", row)[0], 400000.0, 0.1);
}

TEST(Variance, OfAConstantRowIsNothing) {
    for (const double value : on_row("out = row_var(x)", std::vector<double>(5000, 0.1))) EXPECT_LT(value, 1e-30);
    EXPECT_EQ(on_row("out = row_var(x)", std::vector<double>(4096, 3.25))[0], 0);
    for (const double value : on_row(layer_norm, std::vector<double>(100, 1e6))) EXPECT_EQ(value, 0);
}

TEST(Variance, DividesByNAndTakesTwoPasses) {
    EXPECT_EQ(on_row("out = row_var(x)", {1, 2, 3, 4})[0], 1.25);
    EXPECT_EQ(on_row<float>("out = row_var(x)", {4097, 4098, 4099, 4100})[0], 1.25f);
    EXPECT_EQ(on_row("out = row_var(x)", {7})[0], 0);
}

TEST(Reductions, OfOneLevelFeedTheNext) {
    // Mean absolute deviation, then its share: |x − 3| is {2, 1, 1, 2} and its mean 1.5.
    expect_near(on_row("d = abs(x - row_mean(x)); out = d / row_mean(d)", {1, 2, 4, 5}),
                {4.0 / 3, 2.0 / 3, 2.0 / 3, 4.0 / 3}, 4e-16);
    const auto deep =
        on_row("a = x - row_max(x); b = a / row_min(a); c = b - row_mean(b); out = row_sum(c * c)", {1, 2, 3, 4});
    expect_near(deep, {5.0 / 9}, 4e-16);  // b = {1, 2/3, 1/3, 0}
}

TEST(Reductions, AreOfEachRowAlone) {
    const Operator definition = define("out = x - row_max(x)", "x:P,D");
    EXPECT_EQ(evaluate<double>(definition, {{"P", 2}, {"D", 3}}, {{1, 5, 3, -1, -2, -3}}),
              (std::vector<double>{-4, 0, -2, 0, -1, -2}));
}

TEST(Reductions, OfAOneColumnTensorAreThatColumn) {
    const Operator definition = define("out = x * row_sum(s) + row_mean(s) * 0 + row_var(s)", "x:P,D s:P,1");
    EXPECT_EQ(evaluate<double>(definition, {{"P", 2}, {"D", 2}}, {{1, 2, 3, 4}, {10, 100}}),
              (std::vector<double>{10, 20, 300, 400}));
}

TEST(Reductions, MayBeAnOutputWithoutTheirAxis) {
    const Operator definition = define("out = row_sum(x)", "x:P,D", "out:P");
    EXPECT_EQ(evaluate<double>(definition, {{"P", 3}, {"D", 2}}, {{1, 2, 3, 4, 5, 6}}),
              (std::vector<double>{3, 7, 11}));
}

TEST(Inputs, RepeatOverRowsAndColumns) {
    const Operator definition = define("out = x * scale + bias", "x:P,D scale:P,1 bias:D");
    EXPECT_EQ(evaluate<double>(definition, {{"P", 2}, {"D", 3}}, {{1, 2, 3, 4, 5, 6}, {10, -1}, {0.5, 0.25, 0.125}}),
              (std::vector<double>{10.5, 20.25, 30.125, -3.5, -4.75, -5.875}));
}

TEST(Inputs, RepeatOverRowsThatAreLongerThanABlock) {
    std::vector<double> x(2 * 3000, 1), bias(3000);
    std::iota(bias.begin(), bias.end(), 0);
    const auto result = evaluate<double>(define("out = x + bias"), {{"P", 2}, {"D", 3000}}, {x, bias});
    for (const std::size_t column : {0, 2047, 2048, 2999}) {
        EXPECT_EQ(result[column], 1 + static_cast<double>(column));
        EXPECT_EQ(result[3000 + column], 1 + static_cast<double>(column));
    }
}

TEST(Inputs, OfRankFourFollowTheirDimensions) {
    const Operator definition = define("out = x + y", "x:B,P,Q,D y:P,1,D", "out:B,P,Q,D");
    std::vector<double> x(2 * 2 * 2 * 2), y = {100, 200, 300, 400};
    std::iota(x.begin(), x.end(), 0);
    EXPECT_EQ(evaluate<double>(definition, {{"B", 2}, {"P", 2}, {"Q", 2}, {"D", 2}}, {x, y}),
              (std::vector<double>{100, 201, 102, 203, 304, 405, 306, 407, 108, 209, 110, 211, 312, 413, 314, 415}));
}

TEST(Evaluator, LoadsARepeatedRowOnce) {
    const Operator definition = define("out = x + bias");
    const Body body = analyse(definition).value();
    int loads[2] = {};
    Evaluator<double> evaluator(definition, body, {{"P", 50}, {"D", 8}},
                                [&](int input, std::int64_t, std::span<double> values) {
                                    ++loads[input];
                                    std::ranges::fill(values, 1.0);
                                });
    for (std::int64_t row = 0; row < 50; ++row) evaluator.evaluate(row, 0, 8);
    EXPECT_EQ(loads[0], 50);
    EXPECT_EQ(loads[1], 1);
}

TEST(Evaluator, ComputesPartsOfABlockAndThenMoreOfIt) {
    const Operator definition = define("out = x + bias");
    const Body body = analyse(definition).value();
    Evaluator<double> evaluator(definition, body, {{"P", 1}, {"D", 8}},
                                [&](int, std::int64_t first, std::span<double> values) {
                                    for (double& value : values) value = static_cast<double>(first++);
                                });
    evaluator.evaluate(0, 0, 2);
    EXPECT_EQ(evaluator.output(0).size(), 2u);
    evaluator.evaluate(0, 0, 8);
    ASSERT_EQ(evaluator.output(0).size(), 8u);
    EXPECT_EQ(evaluator.output(0)[7], 14);
}

TEST(Evaluator, GoesBackToAnEarlierRow) {
    const Operator definition = define("out = x - row_max(x)", "x:P,D");
    const Body body = analyse(definition).value();
    const std::vector<double> x = {1, 5, -1, -2};
    Evaluator<double> evaluator(definition, body, {{"P", 2}, {"D", 2}},
                                [&](int, std::int64_t first, std::span<double> values) {
                                    for (double& value : values) value = x[static_cast<std::size_t>(first++)];
                                });
    for (const std::int64_t row : {0, 1, 0}) evaluator.evaluate(row, 0, 2);
    EXPECT_EQ(evaluator.output(0)[0], -4);
    EXPECT_EQ(evaluator.output(0)[1], 0);
}

}  // namespace
}  // namespace kernelgen
