// SPDX-License-Identifier: Apache-2.0
// Which configurations of a case are never built, and why.
#include "core/tuning/case_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/said/said.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A variant of an operator over [P, D] with these tunables, present at their values.
RunPlan plan_with(Launch launch, std::vector<Tunable> tunables, Sizes sizes) {
    RunPlan plan;
    plan.candidate.variant.launches = {std::move(launch)};
    plan.candidate.variant.tunables = std::move(tunables);
    plan.candidate.configuration = configuration_of(plan.candidate.variant);
    plan.cases = {{"timed", DType::f32, std::move(sizes)}};
    return plan;
}

Launch tiled() {
    Launch launch;
    launch.grid = {"cdiv(P, BLOCK_M)", "cdiv(D, BLOCK_N)"};
    return launch;
}

std::vector<std::int64_t> values_of(const CaseSpace& made, const std::string& name) {
    return std::ranges::find(made.space.parameters(), name, &Tunable::name)->values;
}

TEST(SpaceOfACase, LeavesOutTilesThatAreLargerThanOneThatCoversTheCase) {
    const RunPlan plan = plan_with(tiled(), {{"BLOCK_M", {1, 4, 16, 64}, 1}, {"BLOCK_N", {32, 64, 128, 256}, 32}},
                                   {{"P", 100}, {"D", 50}});
    const CaseSpace made = space_for(plan).value();
    EXPECT_THAT(values_of(made, "BLOCK_M"), ElementsAre(1, 4, 16, 64));
    EXPECT_THAT(values_of(made, "BLOCK_N"), ElementsAre(32, 64));
    ASSERT_EQ(made.pruned.size(), 1u);
    EXPECT_EQ(made.pruned[0].count, 8u);
    EXPECT_THAT(made.pruned[0].reason, HasSubstr("`BLOCK_N` is larger than the case"));
}

TEST(SpaceOfACase, KeepsThePresentValueOfATile) {
    const RunPlan plan =
        plan_with(tiled(), {{"BLOCK_M", {1, 2}, 1}, {"BLOCK_N", {32, 64, 128, 256}, 256}}, {{"P", 100}, {"D", 50}});
    EXPECT_THAT(values_of(space_for(plan).value(), "BLOCK_N"), ElementsAre(32, 64, 256));
}

TEST(SpaceOfACase, HasOnlyTheValuesThatWereChosen) {
    const RunPlan plan =
        plan_with(tiled(), {{"BLOCK_M", {1, 2, 4}, 1}, {"BLOCK_N", {32, 64, 128}, 32}}, {{"P", 100}, {"D", 500}});
    const CaseSpace made = space_for(plan, {{"BLOCK_M", {2, 4}}}).value();
    EXPECT_THAT(values_of(made, "BLOCK_M"), ElementsAre(2, 4));
    EXPECT_THAT(values_of(made, "BLOCK_N"), ElementsAre(32, 64, 128));
    EXPECT_EQ(made.space.parameters()[0].value, 2);  // since the present one does not take part
    EXPECT_TRUE(made.pruned.empty());
}

TEST(SpaceOfACase, FollowsTilesThroughLet) {
    Launch launch;
    launch.grid = {"tiles"};
    RunPlan plan = plan_with(launch, {{"BLOCK", {16, 32, 64}, 16}}, {{"P", 20}});
    plan.candidate.variant.let = {"rows = BLOCK", "tiles = cdiv(P, rows)"};
    EXPECT_THAT(values_of(space_for(plan).value(), "BLOCK"), ElementsAre(16, 32));
}

TEST(SpaceOfACase, KeepsATunableThatSharesItsAxisWithAnother) {
    Launch launch;
    launch.grid = {"cdiv(P, BLOCK_M * ROWS)"};
    const RunPlan plan = plan_with(launch, {{"BLOCK_M", {1, 8, 64}, 1}, {"ROWS", {1, 64}, 1}}, {{"P", 4}});
    EXPECT_EQ(space_for(plan).value().space.size(), 6u);
}

TEST(SpaceOfACase, CountsWhatEachRestrictionForbids) {
    RunPlan plan =
        plan_with(tiled(), {{"BLOCK_M", {1, 2, 4}, 1}, {"BLOCK_N", {32, 64, 128}, 32}}, {{"P", 1000}, {"D", 1000}});
    plan.candidate.variant.restrictions = {"BLOCK_M * BLOCK_N <= 256", "BLOCK_M > 1 or BLOCK_N < 128"};
    const CaseSpace made = space_for(plan).value();
    EXPECT_EQ(made.space.size(), 7u);
    ASSERT_EQ(made.pruned.size(), 2u);
    EXPECT_EQ(made.pruned[0].count, 1u);
    EXPECT_THAT(made.pruned[0].reason, HasSubstr("BLOCK_M * BLOCK_N <= 256"));
    EXPECT_EQ(made.pruned[1].count, 1u);
}

TEST(SpaceOfACase, LeavesOutLaunchesThatTheDeviceRefuses) {
    Launch launch;
    launch.grid = {"P"};
    launch.block = {"32 * WARPS", "Y"};
    launch.shared_bytes = "WARPS * 16384";
    RunPlan plan = plan_with(launch, {{"WARPS", {1, 8, 32}, 1}, {"Y", {1, 2}, 1}}, {{"P", 1000}});
    plan.candidate.device = {{"shared_per_block", 232448}};
    const CaseSpace made = space_for(plan).value();
    EXPECT_EQ(made.space.size(), 4u);
    std::uint64_t pruned = 0;
    for (const Pruned& each : made.pruned) {
        pruned += each.count;
        EXPECT_THAT(each.reason, HasSubstr("the device's limit `"));
        EXPECT_TRUE(said_by(each.reason).is_object()) << each.reason;
    }
    EXPECT_EQ(pruned, 2u);
}

TEST(SpaceOfACase, GivesReasonsThatAreSentences) {
    RunPlan plan =
        plan_with(tiled(), {{"BLOCK_M", {1, 2}, 1}, {"BLOCK_N", {32, 64, 4096}, 32}}, {{"P", 10}, {"D", 64}});
    plan.candidate.variant.restrictions = {"BLOCK_M > 1"};
    const CaseSpace made = space_for(plan).value();
    ASSERT_EQ(made.pruned.size(), 2u);
    for (const Pruned& each : made.pruned) EXPECT_TRUE(said_by(each.reason).is_object()) << each.reason;
}

TEST(SpaceOfACase, SaysThatNothingIsAllowed) {
    RunPlan plan = plan_with(tiled(), {{"BLOCK_M", {1}, 1}, {"BLOCK_N", {32}, 32}}, {{"P", 10}, {"D", 64}});
    plan.candidate.variant.restrictions = {"BLOCK_M > 1"};
    EXPECT_THAT(space_for(plan).error().message, HasSubstr("no configuration satisfies all restrictions"));
}

TEST(SpaceOfACase, KeepsAPartOfWhatIsTooMuchToSearch) {
    std::vector<Tunable> tunables;
    for (const char* name : {"A", "B", "C", "D", "E", "F", "G"})
        tunables.push_back({name, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 7});
    const RunPlan plan = plan_with(tiled(), tunables, {{"P", 100}, {"D", 50}});
    const CaseSpace made = space_for(plan).value();
    EXPECT_EQ(made.space.size(), 100'000u);
    EXPECT_TRUE(made.space.find(plan.candidate.configuration));
    ASSERT_EQ(made.pruned.size(), 1u);
    EXPECT_EQ(made.pruned[0].count, 10'000'000u - 100'000u);
    EXPECT_FALSE(made.pruned[0].is_estimate);
    EXPECT_THAT(made.pruned[0].reason, HasSubstr("at random"));
    EXPECT_TRUE(said_by(made.pruned[0].reason).is_object());
}

/// Ten values for each of these tunables.
RunPlan large_plan(const std::vector<std::string>& names, std::vector<std::string> restrictions) {
    std::vector<Tunable> tunables;
    for (const std::string& name : names) tunables.push_back({name, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 7});
    RunPlan plan = plan_with(tiled(), tunables, {{"P", 100}, {"D", 50}});
    plan.candidate.variant.restrictions = std::move(restrictions);
    return plan;
}

TEST(SpaceOfACase, CountsWhatEachRestrictionForbidsOfALargeSpaceToo) {
    const CaseSpace made = space_for(large_plan({"A", "B", "C", "D", "E", "F"}, {"A != 3", "E + F <= 16"})).value();
    ASSERT_EQ(made.pruned.size(), 2u);
    EXPECT_EQ(made.pruned[0].count, 100'000u);
    EXPECT_THAT(made.pruned[0].reason, HasSubstr("A != 3"));
    EXPECT_EQ(made.pruned[1].count, 27'000u);
    EXPECT_FALSE(made.pruned[0].is_estimate || made.pruned[1].is_estimate);
    EXPECT_EQ(made.space.size(), 873'000u);
}

TEST(SpaceOfACase, EstimatesWhatEachRestrictionForbidsWhereOnlyAPartIsKept) {
    const CaseSpace made = space_for(large_plan({"A", "B", "C", "D", "E", "F", "G"}, {"A != 3", "E != 2"})).value();
    ASSERT_EQ(made.pruned.size(), 3u);
    EXPECT_NEAR(static_cast<double>(made.pruned[0].count), 1'000'000, 50'000);
    EXPECT_NEAR(static_cast<double>(made.pruned[1].count), 900'000, 50'000);
    EXPECT_THAT(made.pruned[2].reason, HasSubstr("at random"));
    for (const Pruned& each : made.pruned) EXPECT_TRUE(each.is_estimate) << each.reason;
    EXPECT_EQ(made.space.size() + count_of(made.pruned), 10'000'000u);
}

}  // namespace
}  // namespace kernelgen
