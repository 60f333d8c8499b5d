// SPDX-License-Identifier: Apache-2.0
#include "core/tune/proposal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernelgen {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::SizeIs;

Configuration blocks(std::int64_t columns, std::int64_t warps) { return {{"BLOCK_N", columns}, {"num_warps", warps}}; }

MeasuredCase of(std::int64_t columns, std::map<Configuration, double> objectives) {
    return {{std::to_string(columns), DType::f32, {{"D", columns}}}, blocks(1024, 4), std::move(objectives)};
}

TEST(ProposedRules, AreTheFewestByWhichEachCaseIsNearItsBest) {
    const auto rules =
        propose_rules({of(4096, {{blocks(1024, 4), 1.2e-3}, {blocks(4096, 4), 1.0e-3}, {blocks(8192, 8), 1.5e-3}}),
                       of(8192, {{blocks(1024, 4), 3.0e-3}, {blocks(4096, 4), 2.5e-3}, {blocks(8192, 8), 2.0e-3}})},
                      {"D"});
    ASSERT_TRUE(rules);
    ASSERT_THAT(*rules, SizeIs(2));
    EXPECT_EQ(rules->front().when, "D > 4096");
    EXPECT_EQ(rules->front().configuration, blocks(8192, 8));
    EXPECT_EQ(rules->back().when, "");
    EXPECT_EQ(rules->back().configuration, blocks(4096, 4));
    const ProposedCase& ruled = rules->front().cases.at(0);
    EXPECT_EQ(ruled.name, "8192");
    EXPECT_EQ(ruled.loss, 0);
    EXPECT_THAT(ruled.over_present.value(), DoubleNear(1.5, 1e-9));
    EXPECT_THAT(ruled.over_otherwise.value(), DoubleNear(1.25, 1e-9));
    EXPECT_THAT(rules->back().cases.at(0).over_present.value(), DoubleNear(1.2, 1e-9));
}

TEST(ProposedRules, AreNoneWhereOneConfigurationLosesLittleEverywhere) {
    const auto rules = propose_rules({of(4096, {{blocks(4096, 4), 1.0}, {blocks(8192, 8), 1.009}}),
                                      of(8192, {{blocks(4096, 4), 1.2}, {blocks(8192, 8), 1.0}})},
                                     {"D"});
    ASSERT_TRUE(rules);
    ASSERT_THAT(*rules, SizeIs(1));
    EXPECT_EQ(rules->front().configuration, blocks(8192, 8));
    EXPECT_THAT(rules->front().cases.at(0).loss, DoubleNear(0.009, 1e-9));
    EXPECT_THAT(configuration_rules({}, *rules), SizeIs(0));
}

TEST(ProposedRules, TakeOnlyWhatWasMeasuredOnTheCase) {
    const auto rules = propose_rules({of(4096, {{blocks(4096, 4), 1.0}}), of(8192, {{blocks(8192, 8), 1.0}})}, {"D"});
    ASSERT_TRUE(rules);
    EXPECT_THAT(*rules, SizeIs(2));
    EXPECT_FALSE(rules->front().cases.at(0).over_otherwise);
    EXPECT_FALSE(propose_rules({of(4096, {}), of(8192, {{blocks(8192, 8), 1.0}})}, {"D"}));
}

TEST(ProposedRules, LeaveOutTheValuesThatCountAnyway) {
    const std::vector<ProposedRule> proposed = {
        {"D > 8192", blocks(4096, 4), {}}, {"D > 4096", blocks(8192, 4), {}}, {"", blocks(4096, 4), {}}};
    EXPECT_THAT(configuration_rules({}, proposed), ElementsAre(ConfigurationRule{"D > 8192", blocks(4096, 4)},
                                                               ConfigurationRule{"D > 4096", {{"BLOCK_N", 8192}}}));
}

TEST(ProposedRules, ComeAfterKeptOnesThatMeanWhatTheyMeant) {
    const std::vector<ProposedRule> proposed = {{"D > 4096", blocks(8192, 8), {}}, {"", blocks(4096, 4), {}}};
    EXPECT_THAT(
        configuration_rules({{"D < 64", blocks(64, 4)}}, proposed),
        ElementsAre(ConfigurationRule{"D < 64", {{"BLOCK_N", 64}}}, ConfigurationRule{"D > 4096", blocks(8192, 8)}));
}

}  // namespace
}  // namespace kernelgen
