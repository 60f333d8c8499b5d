// SPDX-License-Identifier: Apache-2.0
#include "core/tune/rule_cover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernelgen {
namespace {

using ::testing::ElementsAre;

constexpr std::nullopt_t unknown = std::nullopt;

Case sized(std::int64_t rows, std::int64_t columns, DType dtype = DType::f32) {
    return {"", dtype, {{"P", rows}, {"D", columns}}};
}

/// "D > 4096: 1" of each rule, with the option.
std::vector<std::string> rules_for(const OptionCosts& costs, std::optional<std::size_t> otherwise = {}) {
    std::vector<std::string> texts;
    const auto rules = cover(costs, {"P", "D"}, 0.01, otherwise);
    for (const CoverRule& each : rules.value_or(std::vector<CoverRule>()))
        texts.push_back(each.when + ": " + std::to_string(each.option));
    return texts;
}

TEST(RuleCover, NeedsNoRuleWhereOneOptionIsGoodEverywhere) {
    EXPECT_THAT(rules_for({{sized(1, 64), sized(1, 4096)}, {{0.0, 0.009}, {0.02, 0.0}}}), ElementsAre(": 1"));
}

TEST(RuleCover, ComparesASizeWithThePowerOfTwoBetweenTheCases) {
    EXPECT_THAT(rules_for({{sized(4096, 4096), sized(4096, 8192)}, {{0.0, 0.3}, {0.2, 0.0}}}),
                ElementsAre("D > 4096: 1", ": 0"));
    EXPECT_EQ(threshold_between(4096, 8192), 4096);
    EXPECT_EQ(threshold_between(1024, 65536), 8192);
    EXPECT_EQ(threshold_between(3000, 5000), 4096);
    EXPECT_EQ(threshold_between(1, 2), 1);
    EXPECT_EQ(threshold_between(1000, 1010), 1004);
}

TEST(RuleCover, TakesTheFewestRules) {
    const OptionCosts costs{{sized(1, 64), sized(1, 256), sized(1, 1024), sized(1, 4096)},
                            {{0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}, {0.0, 0.5, 0.5}}};
    EXPECT_THAT(rules_for(costs), ElementsAre("D > 128 and D <= 512: 1", ": 0"));
    const OptionCosts third{costs.cases, {{0.0, 0.5, 0.5}, {0.5, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.5, 0.005}}};
    EXPECT_THAT(rules_for(third), ElementsAre("D > 128: 2", ": 0"));
}

TEST(RuleCover, TellsDtypesApart) {
    EXPECT_THAT(rules_for({{sized(1, 64), sized(1, 64, DType::bf16)}, {{0.0, 0.3}, {0.2, 0.0}}}),
                ElementsAre("dtype_bytes == 2: 1", ": 0"));
}

TEST(RuleCover, JoinsComparisonsWhereThatSavesARule) {
    const OptionCosts corner{{sized(64, 64), sized(64, 4096), sized(4096, 64), sized(4096, 4096)},
                             {{0.0, 0.5}, {0.0, 0.5}, {0.0, 0.5}, {0.5, 0.0}}};
    EXPECT_THAT(rules_for(corner), ElementsAre("D > 512 and P > 512: 1", ": 0"));
}

TEST(RuleCover, DoesNotTakeAnOptionThatIsNotKnownOnACase) {
    EXPECT_THAT(rules_for({{sized(1, 64), sized(1, 4096)}, {{0.02, 0.0, unknown}, {0.02, unknown, 0.0}}}),
                ElementsAre("D > 512: 2", ": 1"));
}

TEST(RuleCover, SaysWhereTheSizesDoNotTellTheCasesApart) {
    EXPECT_FALSE(cover({{sized(1, 64), sized(1, 64)}, {{0.0, 0.3}, {0.2, 0.0}}}, {"P", "D"}, 0.01));
    EXPECT_FALSE(cover({{sized(1, 64)}, {{unknown}}}, {"P", "D"}, 0.01));
    EXPECT_FALSE(cover({}, {"P", "D"}, 0.01));
}

TEST(RuleCover, KeepsWhatMustCountWhereNoRuleHolds) {
    const OptionCosts costs{{sized(1, 64), sized(1, 4096)}, {{0.3, 0.0}, {0.0, 0.2}}};
    EXPECT_THAT(rules_for(costs, 0), ElementsAre("D <= 512: 1", ": 0"));
    EXPECT_FALSE(cover({costs.cases, {{0.3, 0.0}, {0.2, 0.0}}}, {"P", "D"}, 0.01, 0));
}

TEST(RuleCover, IsShortForManyCases) {
    OptionCosts costs;
    for (std::int64_t i = 0; i < 40; ++i) {
        costs.cases.push_back(sized(1, 100 * (i + 1)));
        if (i < 20) costs.losses.push_back({0.0, 0.5});
        else costs.losses.push_back({0.5, 0.0});
    }
    EXPECT_THAT(rules_for(costs), ElementsAre("D > 2048: 1", ": 0"));
}

}  // namespace
}  // namespace kernelgen
