// SPDX-License-Identifier: Apache-2.0
#include "core/explain/launch_stages.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planted.h"

namespace kernelgen {
namespace {

/// softmax in three launches: m, s, out.
Implementation in_launches() {
    Implementation made;
    made.variant.name = "parts";
    made.variant.entry = "maxima";
    made.variant.launches = {{.entry = "", .grid = {"P"}, .args = {"x", "m", "P", "D"}},
                             {.entry = "sums", .grid = {"P"}, .args = {"x", "m", "s", "P", "D"}},
                             {.entry = "divide", .grid = {"P"}, .args = {"x", "m", "s", "out", "P", "D"}}};
    made.variant.workspace = {{"s", {"P"}, DType::f64}, {"m", {"P", "1"}, DType::f32}};
    return made;
}

Operator softmax() {
    Operator definition = testing::planted_operator("softmax");
    definition.body = "m = row_max(x); e = exp(x - m)\ns = row_sum(e)\nout = e / s";
    return definition;
}

TEST(LaunchStages, EndWithTheLaunchThatFirstTakesABuffer) {
    const std::vector<LaunchStage> stages = launch_stages(softmax(), in_launches(), DType::f32);
    ASSERT_EQ(stages.size(), 5u) << "m after each launch, s after two";
    EXPECT_EQ(stages[0].workspace, "m");
    EXPECT_EQ(stages[0].launch, 0u);
    EXPECT_EQ(stages[0].definition.body, "m = row_max(x); ");
    EXPECT_EQ(stages[0].definition.outputs,
              (std::vector<Tensor>{{.name = "m", .shape = {"P", "1"}, .dtype = DType::f32}}));
    EXPECT_TRUE(stages[0].candidate.variant.workspace.empty());
    const LaunchStage& sums = stages[3];
    EXPECT_EQ(sums.workspace, "s");
    EXPECT_EQ(sums.candidate.variant.launches.size(), 2u);
    EXPECT_EQ(sums.candidate.variant.workspace, (std::vector<Workspace>{{"m", {"P", "1"}, DType::f32}}));
    EXPECT_EQ(sums.definition.outputs, (std::vector<Tensor>{{.name = "s", .shape = {"P"}, .dtype = DType::f64}}));
}

TEST(LaunchStages, HaveTheOutputsThatAnEarlyLaunchTakesAsWorkspace) {
    Implementation candidate = in_launches();
    candidate.variant.launches[0].args.emplace_back("out");
    const std::vector<LaunchStage> stages = launch_stages(softmax(), candidate, DType::f16);
    ASSERT_FALSE(stages.empty());
    EXPECT_EQ(stages[0].candidate.variant.workspace, (std::vector<Workspace>{{"out", {"P", "D"}, DType::f16}}));
}

TEST(LaunchStages, LeaveOutInputsThatOnlyLaterLaunchesTake) {
    Operator definition = softmax();
    definition.inputs.push_back({"scale", {"D"}, {}});
    definition.body += " * scale";
    Implementation candidate = in_launches();
    candidate.variant.launches[2].args.emplace_back("scale");
    const std::vector<LaunchStage> stages = launch_stages(definition, candidate, DType::f32);
    ASSERT_FALSE(stages.empty());
    EXPECT_EQ(stages[0].definition.inputs.size(), 1u);
    std::ranges::reverse(definition.inputs);
    for (const LaunchStage& stage : launch_stages(definition, candidate, DType::f32))
        EXPECT_EQ(stage.definition.inputs.size(), 2u) << "x would have other values in the place of scale";
}

TEST(LaunchStages, AreNoneOfBuffersThatTheBodyDoesNotName) {
    Implementation candidate = in_launches();
    candidate.variant.workspace = {{"partial", {"P"}, DType::f32}, {"m", {"P", "D"}, DType::f32}};
    EXPECT_TRUE(launch_stages(softmax(), candidate, DType::f32).empty()) << "and none of another shape";
    candidate = in_launches();
    candidate.variant.launches.resize(1);
    EXPECT_TRUE(launch_stages(softmax(), candidate, DType::f32).empty()) << "one launch has no parts";
    Operator custom = softmax();
    custom.family = Family::custom;
    EXPECT_TRUE(launch_stages(custom, in_launches(), DType::f32).empty());
    Operator wrong = softmax();
    wrong.body = "m = (";
    EXPECT_TRUE(launch_stages(wrong, in_launches(), DType::f32).empty());
}

}  // namespace
}  // namespace kernelgen
