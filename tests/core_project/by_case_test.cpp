// SPDX-License-Identifier: Apache-2.0
#include "core/project/by_case.h"

#include <gtest/gtest.h>

#include "core/project/launch_plan.h"
#include "core/project/values.h"
#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

/// BLOCK_M (1, 16, 64) is 16 and BLOCK_N is 256 where no rule holds.
Implementation ruled(std::vector<ConfigurationRule> rules) {
    Implementation made{example_project().variants[0], "", {}, {}, {{"threads", 8}}};
    made.configuration = configuration_of(made.variant);
    made.variant.configurations = std::move(rules);
    return made;
}

std::int64_t rows_on(const Implementation& implementation, DType dtype, std::int64_t columns) {
    return for_case(implementation, {"", dtype, {{"P", 4096}, {"D", columns}}}).configuration.at("BLOCK_M");
}

TEST(ConfigurationsByCase, AreThoseOfTheFirstRuleThatHolds) {
    const Implementation implementation =
        ruled({{"D > 8192", {{"BLOCK_M", 1}}}, {"D > 100 and dtype_bytes < 4", {{"BLOCK_M", 64}}}, {"D > 0", {}}});
    EXPECT_EQ(rows_on(implementation, DType::f32, 8193), 1);
    EXPECT_EQ(rows_on(implementation, DType::bf16, 8193), 1);
    EXPECT_EQ(rows_on(implementation, DType::bf16, 8192), 64);
    EXPECT_EQ(rows_on(implementation, DType::f32, 8192), 16);
    EXPECT_EQ(for_case(implementation, {"", DType::f32, {{"P", 1}, {"D", 8193}}}).configuration.at("BLOCK_N"), 256);
}

TEST(ConfigurationsByCase, KnowTheDeviceAndDoNotHoldWhereItIsUnknown) {
    Implementation implementation = ruled({{"P / device.threads > 100", {{"BLOCK_M", 64}}}});
    EXPECT_EQ(rows_on(implementation, DType::f32, 1), 64);
    implementation.device.clear();
    EXPECT_EQ(rows_on(implementation, DType::f32, 1), 16);
}

TEST(ConfigurationsByCase, TakeWhatIsAdoptedForOneOfThemAndKeepTheOthers) {
    const Case wide{"", DType::f32, {{"P", 4096}, {"D", 9000}}}, narrow{"", DType::f32, {{"P", 4096}, {"D", 64}}};
    for (const Case& adopted : {wide, narrow}) {
        Implementation implementation = ruled({{"D > 8192", {{"BLOCK_M", 1}}}});
        const Case& other = adopted == wide ? narrow : wide;
        const Configuration before = for_case(implementation, other).configuration;
        Configuration chosen = for_case(implementation, adopted).configuration;
        chosen["BLOCK_M"] = 64;
        chosen["BLOCK_N"] = 128;
        adopt_on(implementation.configuration, implementation.variant.configurations, adopted, implementation.device,
                 chosen);
        EXPECT_EQ(for_case(implementation, adopted).configuration, chosen);
        EXPECT_EQ(for_case(implementation, other).configuration, before);
    }
}

TEST(ConfigurationsByCase, GiveWayToWhatIsSetByHand) {
    const Implementation implementation = ruled({{"D > 8192", {{"BLOCK_M", 1}, {"BLOCK_N", 64}}}});
    const Result<Implementation> fixed = with_fixed(implementation, {{"BLOCK_M", 64}});
    ASSERT_TRUE(fixed) << fixed.error().message;
    EXPECT_EQ(rows_on(*fixed, DType::f32, 8193), 64);
    EXPECT_EQ(for_case(*fixed, {"", DType::f32, {{"P", 1}, {"D", 8193}}}).configuration.at("BLOCK_N"), 64);
    EXPECT_FALSE(with_fixed(implementation, {{"BLOCK_M", 3}}));
}

TEST(ConfigurationsByCase, PlanLaunchesAndMeetRestrictionsAsTheyAreOnTheCase) {
    const Project project = example_project();
    const Implementation implementation = ruled({{"D > 8192", {{"BLOCK_M", 64}}}});
    const auto grid = [&](std::int64_t columns) {
        const Case binding{"", DType::f32, {{"P", 4096}, {"D", columns}}};
        return plan_launches(project.definition, implementation, binding)->launches[0].grid[0];
    };
    EXPECT_EQ(grid(8192), 4096 / 16);
    EXPECT_EQ(grid(8193), 4096 / 64);
    EXPECT_EQ(violated_restriction(implementation, {"", DType::f32, {{"P", 1}, {"D", 8192}}}), std::nullopt);
    EXPECT_EQ(violated_restriction(implementation, {"", DType::f32, {{"P", 1}, {"D", 8193}}}),
              "restriction `BLOCK_M * BLOCK_N <= 8192` does not hold with BLOCK_M = 64, BLOCK_N = 256");
}

}  // namespace
}  // namespace kernelgen
