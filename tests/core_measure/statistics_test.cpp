// SPDX-License-Identifier: Apache-2.0
#include "core/measure/statistics.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace kernelgen {
namespace {

using Values = std::vector<double>;

TEST(Quantile, IsTypeSevenOfHyndmanAndFan) {
    // numpy 2.4: np.quantile([15, 20, 35, 40, 50], q)
    const Values values = {15, 20, 35, 40, 50};
    EXPECT_DOUBLE_EQ(quantile(values, 0), 15);
    EXPECT_DOUBLE_EQ(quantile(values, 0.05), 16);
    EXPECT_DOUBLE_EQ(quantile(values, 0.25), 20);
    EXPECT_DOUBLE_EQ(quantile(values, 0.4), 29);
    EXPECT_DOUBLE_EQ(quantile(values, 0.5), 35);
    EXPECT_DOUBLE_EQ(quantile(values, 0.9), 46);
    EXPECT_DOUBLE_EQ(quantile(values, 0.99), 49.6);
    EXPECT_DOUBLE_EQ(quantile(values, 1), 50);
    EXPECT_DOUBLE_EQ(quantile(Values{7}, 0.9), 7);
    EXPECT_DOUBLE_EQ(quantile(Values{}, 0.5), 0);
}

TEST(Summarise, DescribesSamplesInAnyOrder) {
    // numpy 2.4: mean, std(ddof=1), quantile
    const Summary summary = summarise(Values{9.8, 10.1, 10.0, 10.2, 9.9, 10.3, 10.1, 14.0, 10.0, 9.7});
    EXPECT_EQ(summary.samples, 10);
    EXPECT_DOUBLE_EQ(summary.min, 9.7);
    EXPECT_DOUBLE_EQ(summary.p50, 10.05);
    EXPECT_DOUBLE_EQ(summary.p90, 10.67);
    EXPECT_DOUBLE_EQ(summary.p99, 13.667);
    EXPECT_DOUBLE_EQ(summary.mean, 10.41);
    EXPECT_NEAR(summary.standard_deviation, 1.2740573857649515, 1e-13);
    EXPECT_NEAR(summary.relative_standard_deviation, 1.2740573857649515 / 10.41, 1e-14);
    EXPECT_EQ(summary.outliers, 1);  // 14.0; the fences are 9.55 and 10.55
}

TEST(Summarise, TakesOneSampleAndNone) {
    const Summary one = summarise(Values{3});
    EXPECT_EQ(one.samples, 1);
    EXPECT_EQ(one.p99, 3);
    EXPECT_EQ(one.standard_deviation, 0);
    EXPECT_EQ(one.outliers, 0);
    EXPECT_EQ(summarise(Values{}).samples, 0);
}

TEST(Summarise, FindsNoOutliersAmongEqualSamples) {
    const Summary summary = summarise(Values(20, 0.1));
    EXPECT_EQ(summary.outliers, 0);
    EXPECT_NEAR(summary.standard_deviation, 0, 1e-16);
}

TEST(MannWhitney, MatchesSciPy) {
    // scipy 1.17: mannwhitneyu(a, b, alternative="two-sided", method="asymptotic").pvalue
    EXPECT_NEAR(mann_whitney_p(Values{1, 2, 3, 4, 5}, Values{6, 7, 8, 9, 10}), 0.012185780355344813, 1e-15);
    EXPECT_NEAR(mann_whitney_p(Values{1, 1.5, 2, 2, 3.5, 9}, Values{2, 2, 2.5, 4}), 0.5823696629652255, 1e-14);
    EXPECT_NEAR(mann_whitney_p(Values{0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
                               Values{1.15, 0.88, 0.9, 0.74, 1.21}),
                0.24462360512698333, 1e-14);
    EXPECT_EQ(mann_whitney_p(Values{1, 2, 3, 4, 5}, Values{1, 2, 3, 4, 5}), 1);
    EXPECT_EQ(mann_whitney_p(Values(4, 5), Values(3, 5)), 1);
}

TEST(MannWhitney, IsSymmetricAndCertainOfNothingWithoutSamples) {
    const Values a = {1, 3, 5, 7}, b = {2, 2.5, 9};
    EXPECT_DOUBLE_EQ(mann_whitney_p(a, b), mann_whitney_p(b, a));
    EXPECT_EQ(mann_whitney_p(Values{}, a), 1);
}

TEST(Speedup, IsTheMedianOfThePairsRatios) {
    const Speedup speedup = speedup_of(Values{1, 2, 4, 1, 1}, Values{2, 2, 12, 2, 2});
    EXPECT_EQ(speedup.pairs, 5);
    EXPECT_DOUBLE_EQ(speedup.median, 2);            // of 1, 2, 2, 2, 3
    EXPECT_DOUBLE_EQ(speedup.ratio_of_medians, 2);  // 2 over 1
    EXPECT_LE(speedup.lower, speedup.median);
    EXPECT_GE(speedup.upper, speedup.median);
}

TEST(Speedup, OfASideAgainstItselfIsExactlyOne) {
    const Values times = {1.1, 0.9, 1.3, 1.0, 1.2};
    const Speedup speedup = speedup_of(times, times);
    EXPECT_EQ(speedup.median, 1);
    EXPECT_EQ(speedup.lower, 1);
    EXPECT_EQ(speedup.upper, 1);
    EXPECT_EQ(speedup.p_value, 1);
}

TEST(Speedup, OfNoPairsIsNothing) {
    EXPECT_EQ(speedup_of(Values{}, Values{}).pairs, 0);
    EXPECT_EQ(speedup_of(Values{1}, Values{3}).median, 3);
}

TEST(Speedup, IsRepeatable) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(1, 0.05);
    Values a(30), b(30);
    for (std::size_t i = 0; i < 30; ++i) a[i] = noise(random), b[i] = noise(random);
    EXPECT_EQ(speedup_of(a, b, 7).lower, speedup_of(a, b, 7).lower);
    EXPECT_EQ(speedup_of(a, b, 7).upper, speedup_of(a, b, 7).upper);
}

TEST(Speedup, HasAnIntervalThatHoldsTheTruthAsOftenAsItSays) {
    // 300 experiments of 40 pairs whose true ratio is 1.25; skewed noise, as timings have. 95 % would be 285.
    std::mt19937_64 random(11);
    std::lognormal_distribution<double> noise(0, 0.05);
    int held = 0;
    double width = 0;
    for (int experiment = 0; experiment < 300; ++experiment) {
        Values candidate(40), baseline(40);
        for (std::size_t i = 0; i < 40; ++i) candidate[i] = noise(random), baseline[i] = 1.25 * noise(random);
        const Speedup speedup = speedup_of(candidate, baseline, static_cast<std::uint64_t>(experiment));
        held += speedup.lower <= 1.25 && 1.25 <= speedup.upper;
        width += (speedup.upper - speedup.lower) / 300;
    }
    EXPECT_GE(held, 270);
    EXPECT_LE(held, 298);
    // Theory: 2 · 1.96 · 1.2533 · 1.25 · 0.05 · √2 / √40 = 0.0686
    EXPECT_NEAR(width, 0.0686, 0.015);
}

TEST(Speedup, TakesOddAndEvenNumbersOfPairs) {
    for (const std::size_t pairs : {1u, 2u, 3u, 4u, 20u, 21u}) {
        Values candidate(pairs, 1), baseline(pairs);
        for (std::size_t i = 0; i < pairs; ++i) baseline[i] = 1 + static_cast<double>(i);
        const Speedup speedup = speedup_of(candidate, baseline);
        EXPECT_DOUBLE_EQ(speedup.median, (1 + static_cast<double>(pairs)) / 2);
        EXPECT_GE(speedup.lower, 1);
        EXPECT_LE(speedup.upper, static_cast<double>(pairs));
    }
}

}  // namespace
}  // namespace kernelgen
