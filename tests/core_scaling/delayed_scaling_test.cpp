// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/delayed_scaling.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::ElementsAre;

std::vector<AmaxStep> steps_of(const std::vector<double>& amax) {
    std::vector<AmaxStep> steps;
    for (const double each : amax) steps.push_back({static_cast<std::int64_t>(steps.size()) + 1, each, {}});
    return steps;
}

TEST(DelayedScaling, FollowsTheAverageWithAMargin) {
    AmaxHistory history;
    const DelayedRun run = follow(history, steps_of({1, 2, 1}), {.smoothing = 0.5, .margin = 1.5});
    EXPECT_TRUE(run.steps[0].is_first);
    EXPECT_FALSE(run.steps[0].is_clipped);
    EXPECT_EQ(run.steps[1].covered, 1.5);  // 1.5 × 1
    EXPECT_TRUE(run.steps[1].is_clipped);
    EXPECT_EQ(run.steps[2].covered, 2.25);  // 1.5 × (1 + 2) / 2
    EXPECT_FALSE(run.steps[2].is_clipped);
    EXPECT_EQ(history.average, 1.25);
    EXPECT_EQ(run.clip_ratio(), 0.5);
    EXPECT_EQ(run.needed_margin, 2);
}

TEST(DelayedScaling, TellsAnAmaxAboveTenTimesTheLastFive) {
    AmaxHistory history;
    const DelayedRun run = follow(history, steps_of({1, 1, 1, 1, 10.5, 28, 29}), {});
    EXPECT_FALSE(run.steps[4].is_anomaly);  // four steps before it are too few
    EXPECT_FALSE(run.steps[5].is_anomaly);  // 28 < 10 × 14.5 / 5
    EXPECT_EQ(run.anomalies(), 0);
    EXPECT_TRUE(observe(history, {8, 200, {}}, {}).is_anomaly);
    EXPECT_THAT(history.recent, ElementsAre(1, 10.5, 28, 29, 200));
}

TEST(DelayedScaling, LeavesAnomaliesOutOfTheMarginThatIsNeeded) {
    AmaxHistory history;
    const DelayedRun run = follow(history, steps_of({1, 1, 1, 1, 1, 100}), {.smoothing = 0.5, .margin = 1});
    EXPECT_EQ(run.anomalies(), 1);
    EXPECT_EQ(run.clipped(), 1);
    EXPECT_EQ(run.needed_margin, 1);
}

TEST(DelayedScaling, CountsChannelsThatAreClipped) {
    AmaxHistory history;
    const DelayedRun run = follow(history, {{1, 4, {1, 4}}, {2, 4, {3, 4}}}, {.smoothing = 0, .margin = 1});
    EXPECT_EQ(run.steps[1].clipped_channels, 1);
    EXPECT_FALSE(run.steps[1].is_clipped);
    EXPECT_EQ(run.channel_clip_ratio(), 0.5);
    EXPECT_THAT(history.channels, ElementsAre(3, 4));
}

TEST(DelayedScaling, ZerosTellNothingOfTheScale) {
    AmaxHistory history;
    const DelayedRun run = follow(history, steps_of({0, 2, 0, 2}), {.smoothing = 0.5, .margin = 1});
    EXPECT_TRUE(run.steps[1].is_first);
    EXPECT_EQ(history.average, 2);
    EXPECT_EQ(run.clipped(), 0);
    EXPECT_EQ(history.steps, 4);
}

TEST(DelayedScaling, GoesOnWhereItEnded) {
    AmaxHistory whole, parts;
    const DelayedRule rule;
    follow(whole, steps_of({1, 3, 2, 5, 4, 6}), rule);
    follow(parts, steps_of({1, 3, 2}), rule);
    follow(parts, steps_of({5, 4, 6}), rule);
    EXPECT_EQ(whole, parts);
}

}  // namespace
}  // namespace kernelgen
