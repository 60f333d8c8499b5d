// SPDX-License-Identifier: Apache-2.0
#include "core/project/dispatch.h"

#include <gtest/gtest.h>

#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

/// The example with a CUDA variant, and with these rules.
Project dispatched_project(std::vector<DispatchRule> rules) {
    Project project = example_project();
    Variant gpu = project.variants[0];
    gpu.name = "gpu";
    gpu.language = Language::cuda;
    gpu.launches[0].block = {"32"};
    project.variants.push_back(gpu);
    project.dispatch = std::move(rules);
    return project;
}

/// The variant that a rule chooses, or "" where none does.
std::string chosen(const Project& project, std::string_view device, const Case& binding, const Sizes& numbers = {}) {
    const std::vector<DispatchRule> rules = dispatch_on(project, device);
    const DispatchRule* rule = rule_for(rules, binding, numbers);
    return rule == nullptr ? "" : rule->variant;
}

Case columns(std::int64_t count, DType dtype = DType::f32) { return {"", dtype, {{"P", 4096}, {"D", count}}}; }

TEST(Dispatch, TakesTheFirstRuleThatHoldsOnTheDevice) {
    const Project project =
        dispatched_project({{"D > 8192", "gpu"}, {"D > 100 and dtype_bytes == 4", "library"}, {"D > 0", "host"}});
    EXPECT_EQ(chosen(project, "cpu", columns(9000)), "library");
    EXPECT_EQ(chosen(project, "cpu", columns(9000, DType::bf16)), "host");
    EXPECT_EQ(chosen(project, "cpu", columns(100)), "host");
    EXPECT_EQ(chosen(project, "cuda:0", columns(9000)), "gpu");
    EXPECT_EQ(chosen(project, "cuda:0", columns(100)), "");
}

TEST(Dispatch, KnowsTheDeviceAndDoesNotHoldWhereItIsUnknown) {
    const Project project = dispatched_project({{"P / device.threads > 100", "library"}});
    EXPECT_EQ(chosen(project, "cpu", columns(1), {{"threads", 8}}), "library");
    EXPECT_EQ(chosen(project, "cpu", columns(1)), "");
}

TEST(Dispatch, IsKeptInTheProjectsText) {
    const Project project = dispatched_project({{"D > 8192", "library"}, {"P < 4", "host"}});
    const auto again = parse_project(project_text(project), "/project/project.json");
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->dispatch, project.dispatch);
    EXPECT_EQ(project_text(example_project()).find("dispatch"), std::string::npos);
}

}  // namespace
}  // namespace kernelgen
