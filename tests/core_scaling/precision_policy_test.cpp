// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/precision_policy.h"

#include <gmock/gmock.h>

#include "core/scaling/format_choice.h"
#include "core/scaling/group_choice.h"
#include "core/scaling/layer_errors.h"

namespace kernelgen {
namespace {

ModeErrors mode_with(ScaleMode mode, std::int64_t group, double error, double clipped = 0, bool delayed = false) {
    ModeErrors errors{.mode = {DType::f8e4m3, mode, group, delayed}, .relative_error = error};
    errors.metrics.clip_ratio = clipped;
    return errors;
}

TEST(PrecisionPolicy, TakesTheCoarsestScalesWithinTheLimit) {
    const LayerEvidence layer{"mlp.0",
                              DType::f8e4m3,
                              {mode_with(ScaleMode::tensor, 0, 0.5), mode_with(ScaleMode::group, 128, 0.03),
                               mode_with(ScaleMode::group, 8, 0.01)},
                              {},
                              {}};
    const LayerPrecision chosen = choose_precision(layer, {});
    EXPECT_EQ(chosen.precision, DType::f8e4m3);
    EXPECT_EQ(chosen.scales->group, 128);
    EXPECT_EQ(chosen.relative_error, 0.03);
}

TEST(PrecisionPolicy, LeavesLayersInHalfPrecision) {
    const LayerEvidence bad{"mlp.0", DType::f8e4m3, {mode_with(ScaleMode::tensor, 0, 0.5)}, {}, 2e-4};
    EXPECT_EQ(choose_precision(bad, {}).precision, DType::f16);
    EXPECT_EQ(choose_precision(bad, {}).relative_error, 2e-4);
    const LayerEvidence critical{
        "model.lm_head.weight", DType::f8e4m3, {mode_with(ScaleMode::tensor, 0, 0.01)}, {}, {}};
    EXPECT_EQ(choose_precision(critical, {}).reason, PolicyReason::critical);
    EXPECT_EQ(choose_precision({"mlp", DType::f8e4m3, {}, 0.2, {}}, {}).reason, PolicyReason::over_limit);
    EXPECT_EQ(choose_precision({"mlp", DType::f8e5m2, {}, 0.05, {}}, {}).precision, DType::f8e5m2);
}

TEST(PrecisionPolicy, FindsPatternsAnywhereInAName) {
    EXPECT_TRUE(is_critical("layers.3.attention.q_proj.weight", {"attention.q_proj"}));
    EXPECT_TRUE(is_critical("layers.3.attn.q_proj", {"layers.*.q_proj"}));
    EXPECT_FALSE(is_critical("layers.3.attn.v_proj", {"layers.*.q_proj"}));
    EXPECT_FALSE(is_critical("anything", {}));
}

TEST(FormatChoices, GoByRange) {
    ModeErrors e4m3 = mode_with(ScaleMode::tensor, 0, 0.026), e5m2 = mode_with(ScaleMode::tensor, 0, 0.052);
    EXPECT_EQ(choose_format(e4m3, e5m2).format, DType::f8e4m3);
    e4m3.flushed = 0.2;
    e5m2.flushed = 0.01;
    EXPECT_EQ(choose_format(e4m3, e5m2).format, DType::f8e5m2);
    EXPECT_EQ(choose_format(e4m3, e5m2).reason, FormatReason::range);
    e5m2.flushed = 0.2;
    EXPECT_EQ(choose_format(e4m3, e5m2).format, DType::f8e4m3);
    EXPECT_EQ(choose_format(std::vector<double>{1, 1e-3}).format, DType::f8e4m3);
    EXPECT_EQ(choose_format(std::vector<double>{1, 0, 1e-5}).format, DType::f8e5m2);
}

TEST(GroupChoices, TakeTheFirstAscendingThatMeetsTheTarget) {
    const std::vector<ModeErrors> modes = {
        mode_with(ScaleMode::group, 8, 0.01), mode_with(ScaleMode::group, 32, 0.01, 0.002, true),
        mode_with(ScaleMode::group, 16, 0.01, 0.02, true), mode_with(ScaleMode::group, 64, 0.01, 0.001, true)};
    EXPECT_EQ(choose_group(modes, 0.01)->group, 32);
    EXPECT_TRUE(choose_group(modes, 0.01)->is_delayed);
    EXPECT_FALSE(choose_group(modes, 1e-6)->group);
    EXPECT_EQ(choose_group(modes, 1e-6)->least_clipping, 64);
    EXPECT_EQ(choose_group({modes[0]}, 0.01)->group, 8);
    EXPECT_FALSE(choose_group({mode_with(ScaleMode::tensor, 0, 0.01)}, 0.01));
}

TEST(LayerErrors, AddUpInBothWays) {
    const AccumulatedError all = accumulate_errors({0.003, 0.004});
    EXPECT_DOUBLE_EQ(all.sum, 0.007);
    EXPECT_DOUBLE_EQ(all.root_of_squares, 0.005);
    EXPECT_FALSE(all.exceeds_mean({}) || all.exceeds_whole({}));
    EXPECT_TRUE(accumulate_errors({0.015, 0.015}).exceeds_mean({}));
    EXPECT_TRUE(accumulate_errors({0.015, 0.015}).exceeds_whole({}));
}

}  // namespace
}  // namespace kernelgen
