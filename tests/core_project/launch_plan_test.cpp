// SPDX-License-Identifier: Apache-2.0
#include "core/project/launch_plan.h"

#include <gtest/gtest.h>

#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

const Sizes sizes = {{"P", 1000}, {"D", 333}};

/// The plan of the example's host variant, changed.
template <class Change>
Result<LaunchPlan> plan_with(Change change, const Sizes& at = sizes) {
    const Project project = example_project();
    Variant variant = project.variants[0];
    change(variant);
    return plan_launches(project.definition, {variant, "", configuration_of(variant), {}, {{"threads", 8}}},
                         {"", DType::f32, at});
}

TEST(LaunchPlan, EvaluatesTheGrid) {
    const PlannedLaunch launch = plan_with([](Variant&) {})->launches.at(0);
    EXPECT_EQ(launch.entry, "bias_add");
    EXPECT_EQ(launch.grid, (std::array<std::int64_t, 3>{63, 2, 1}));
    EXPECT_EQ(launch.order, (std::array<int, 3>{0, 1, 2}));
    EXPECT_EQ(launch.threads, 0);
}

TEST(LaunchPlan, ResolvesArgumentsInTheirOrder) {
    const auto args = plan_with([](Variant&) {})->launches.at(0).args;
    ASSERT_EQ(args.size(), 5u);
    EXPECT_EQ(args[1].kind, Argument::Kind::input);
    EXPECT_EQ(args[1].index, 1);
    EXPECT_EQ(args[2].kind, Argument::Kind::output);
    EXPECT_TRUE(args[2].is_pointer());
    EXPECT_EQ(args[4].kind, Argument::Kind::symbol);
    EXPECT_EQ(args[4].index, 1);
    EXPECT_FALSE(args[4].is_pointer());
}

TEST(LaunchPlan, TakesOrderThreadsAndSeveralLaunches) {
    const LaunchPlan plan = plan_with([](Variant& variant) {
                                variant.launches[0].order = {1, 0};
                                variant.launches[0].threads = "BLOCK_M / 8";
                                variant.launches.push_back(variant.launches[0]);
                                variant.launches[1].entry = "second";
                                variant.launches[1].grid = {"D"};
                                variant.launches[1].order = {};
                            }).value();
    EXPECT_EQ(plan.launches[0].order, (std::array<int, 3>{1, 0, 2}));
    EXPECT_EQ(plan.launches[0].threads, 2);
    EXPECT_EQ(plan.launches[1].entry, "second");
    EXPECT_EQ(plan.launches[1].grid, (std::array<std::int64_t, 3>{333, 1, 1}));
}

TEST(LaunchPlan, SizesWorkspace) {
    const LaunchPlan plan =
        plan_with([](Variant& variant) {
            variant.workspace = {{"partial", {"cdiv(D, BLOCK_N)", "P"}, DType::f64}, {"flag", {}, DType::i32}};
            variant.launches[0].args.push_back("partial");
        }).value();
    EXPECT_EQ(plan.workspace_elements, (std::vector<std::int64_t>{2000, 1}));
    EXPECT_EQ(plan.launches[0].args[5].kind, Argument::Kind::workspace);
}

TEST(LaunchPlan, KnowsTheDeviceAndTheValuesOfLet) {
    const auto plan = plan_with([](Variant& variant) {
        variant.let = {"rows = cdiv(P, BLOCK_M)", "blocks = min(rows, 2 * device.threads)", "same = rows == 63"};
        variant.launches[0].grid = {"blocks", "same + 1"};
        variant.launches[0].threads = "device.threads / 2";
        variant.workspace = {{"partial", {"blocks"}, DType::f32}};
    });
    EXPECT_EQ(plan->launches[0].grid, (std::array<std::int64_t, 3>{16, 2, 1}));
    EXPECT_EQ(plan->launches[0].threads, 4);
    EXPECT_EQ(plan->workspace_elements, std::vector<std::int64_t>{16});
}

TEST(LaunchPlan, SaysWhichLetFails) {
    const auto message = [](const std::string& line) {
        return plan_with([&](Variant& variant) { variant.let = {"one = 1", line}; }).error().message;
    };
    EXPECT_EQ(message("rows = P / 0"), "variant `host`: let[1]:1:10: division by zero");
    EXPECT_EQ(message("rows = device.multiprocessors"),
              "variant `host`: let[1]:1:8: `device.multiprocessors` has no value");
}

TEST(LaunchPlan, SaysWhichExpressionFails) {
    const auto message = [](auto change, const Sizes& at = sizes) { return plan_with(change, at).error().message; };
    const auto grid = [](std::vector<std::string> texts) {
        return [texts](Variant& variant) { variant.launches[0].grid = texts; };
    };
    EXPECT_EQ(message(grid({"P - 1000"})), "variant `host`: grid[0]: `P - 1000` is 0; it must be at least 1");
    EXPECT_EQ(message(grid({"1", "P / (D - 333)"})),
              "variant `host`: grid[1]: `P / (D - 333)`: grid[1]:1:3: division by zero");
    EXPECT_EQ(message(grid({"P", "P", "P"}), {{"P", 3000000}, {"D", 1}}),
              "variant `host`: grid: the product overflows 63 bits");
    EXPECT_EQ(message([](Variant& variant) { variant.launches[0].threads = "-1"; }),
              "variant `host`: threads: `-1` is -1; it must be from 0 to 65536");
    EXPECT_EQ(message([](Variant& variant) { variant.workspace = {{"huge", {"P", "P", "P"}, DType::f64}}; },
                      {{"P", 2000000}, {"D", 1}}),
              "variant `host`: workspace `huge` overflows 2^63 bytes");
    EXPECT_NE(message([](Variant& variant) { variant.launches[0].args[0] = "y"; }).text().find("unknown argument `y`"),
              std::string::npos);
}

}  // namespace
}  // namespace kernelgen
