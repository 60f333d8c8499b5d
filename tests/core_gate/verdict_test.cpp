// SPDX-License-Identifier: Apache-2.0
#include "core/gate/verdict.h"

#include <gtest/gtest.h>

#include "core/gate/threshold.h"

namespace kernelgen {
namespace {

TEST(Verdict, OfPairsNeedsAChangeOverTheThresholdAndAnIntervalWithoutOne) {
    EXPECT_EQ(judge_pairs({0.97, 0.96, 0.98}, 0.015), Verdict::slower);
    EXPECT_EQ(judge_pairs({1.03, 1.02, 1.04}, 0.015), Verdict::faster);
    EXPECT_EQ(judge_pairs({0.97, 0.93, 1.01}, 0.015), Verdict::ambiguous);
    EXPECT_EQ(judge_pairs({1.03, 0.99, 1.07}, 0.015), Verdict::ambiguous);
    EXPECT_EQ(judge_pairs({0.97, 0.96, 0.98}, 0.05), Verdict::same);
}

TEST(Verdict, IsSameOnlyWhereTheWholeIntervalIsWithinTheThreshold) {
    EXPECT_EQ(judge_pairs({1, 0.99, 1.01}, 0.015), Verdict::same);
    EXPECT_EQ(judge_pairs({1, 0.98, 1.01}, 0.015), Verdict::ambiguous);
    EXPECT_EQ(judge_pairs({0.99, 0.98, 0.999}, 0.015), Verdict::ambiguous);
}

TEST(Verdict, OfStoredNumbersIsAtMostAmbiguousUnderFivePerCent) {
    EXPECT_EQ(judge_archived({0.96, 0.955, 0.965}, 0.015), Verdict::ambiguous);
    EXPECT_EQ(judge_archived({1.04, 1.035, 1.045}, 0.015), Verdict::ambiguous);
    EXPECT_EQ(judge_archived({0.99, 0.95, 1.02}, 0.015), Verdict::ambiguous);
    EXPECT_EQ(judge_archived({0.94, 0.93, 0.95}, 0.015), Verdict::slower);
    EXPECT_EQ(judge_archived({0.94, 0.93, 0.95}, 0.10), Verdict::same);
    EXPECT_EQ(judge_archived({1.2, 0.99, 1.4}, 0.015), Verdict::ambiguous);
}

TEST(Verdict, OfStoredNumbersIsSameOnlyWhereTheWholeIntervalIsWithinTheThreshold) {
    EXPECT_EQ(judge_archived({1.0, 0.995, 1.005}, 0.015), Verdict::same);
    EXPECT_EQ(judge_archived({1.0, 0.7, 1.4}, 0.015), Verdict::ambiguous);
}

TEST(Verdict, HasANameThatIsReadBack) {
    for (const Verdict each : {Verdict::same, Verdict::faster, Verdict::slower, Verdict::ambiguous})
        EXPECT_EQ(parse_verdict(to_string(each)), each);
    EXPECT_EQ(parse_verdict("Same"), std::nullopt);
}

TEST(LearnedThreshold, IsTheDefaultUntilFiveChecksWereMade) {
    const Threshold threshold = learned_threshold({0.001, 0.002, 0.003, 0.004});
    EXPECT_EQ(threshold.from, "default");
    EXPECT_DOUBLE_EQ(threshold.share, 0.015);
}

TEST(LearnedThreshold, IsTheMeanPlusThreeStandardDeviations) {
    const Threshold threshold = learned_threshold({0.004, 0.006, 0.008, 0.010, 0.012});
    EXPECT_EQ(threshold.from, "learned");
    EXPECT_NEAR(threshold.share, 0.008 + 3 * 0.0031623, 1e-6);
}

TEST(LearnedThreshold, StaysWithinItsLimits) {
    EXPECT_DOUBLE_EQ(learned_threshold({0, 0, 0, 0, 0}).share, 0.005);
    EXPECT_DOUBLE_EQ(learned_threshold({0.5, 0, 0.4, 0, 0.9}).share, 0.05);
}

}  // namespace
}  // namespace kernelgen
