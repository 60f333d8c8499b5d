// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/assistant.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "core/base/file.h"
#include "tests/core_scaling/tensor_file.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Assistant : public testing::TensorFileTest {
protected:
    std::vector<double> normals(std::size_t count, double deviation = 1) {
        std::normal_distribution<double> normal(0, deviation);
        std::vector<double> values(count);
        for (double& each : values) each = normal(random);
        return values;
    }
    Validated<ScalingReport> assist(const std::vector<ScalingInput>& inputs) {
        request.inputs = inputs;
        return assist_scaling(request, state, [](const std::string&) {}, {});
    }
    std::string problem(const std::filesystem::path& path) {
        const Validated<ScalingReport> report = assist({{"x", path}});
        return report ? "" : to_string(report.error()).text();
    }

    std::mt19937_64 random{3};
    ScalingRequest request;
    ScalingState state;
};

TEST_F(Assistant, MeasuresAllModesOfATensor) {
    const ScalingReport report = assist({{"w", file("w.npy", {64, 96}, normals(64 * 96), DType::f32)}}).value();
    const MeasuredTensor& tensor = *report.layers[0].tensor;
    ASSERT_EQ(tensor.modes.size(), 5);  // tensor, channel, 8, 16, 32
    EXPECT_THAT(tensor.undivided, ElementsAre(64, 128));
    EXPECT_EQ(tensor.modes[1].scales, 96);
    EXPECT_EQ(tensor.modes[2].scales, 64 * 12);
    EXPECT_NEAR(tensor.modes[0].relative_error, 0.026, 0.002);  // what rounding to 4 bits costs
    EXPECT_NEAR(report.layers[0].format.e5m2->relative_error, 0.052, 0.003);
    EXPECT_LT(tensor.f16_error, 5e-4);
    EXPECT_EQ(tensor.group->group, 8);
    EXPECT_FALSE(tensor.group->is_delayed);
    EXPECT_EQ(state.at("w").steps, 1);
}

TEST_F(Assistant, ChoosesE5M2ForATensorOfWideRange) {
    std::vector<double> values;
    for (const double each : normals(4096, 5)) values.push_back(std::exp(each));
    const ScalingReport report = assist({{"g", file("g.npy", {64, 64}, values)}}).value();
    EXPECT_EQ(report.layers[0].format.format, DType::f8e5m2);
    EXPECT_GT(report.layers[0].format.e4m3->flushed, most_flushed);
}

TEST_F(Assistant, MeetsTheLastStepWithTheScalesOfEarlierOnes) {
    const auto first = file("1.npy", {32, 64}, normals(2048)), last = file("2.npy", {32, 64}, normals(2048, 3));
    const ScalingReport report = assist({{"x", first}, {"x", last}}).value();
    ASSERT_EQ(report.layers.size(), 1);
    const std::vector<ModeErrors>& modes = report.layers[0].tensor->modes;
    EXPECT_EQ(std::ranges::count_if(modes, [](const ModeErrors& each) { return each.mode.is_delayed; }), 6);
    const ModeErrors& delayed = modes.back();
    EXPECT_GT(delayed.metrics.clip_ratio, 0);
    EXPECT_TRUE(report.layers[0].tensor->group->is_delayed);
    EXPECT_EQ(report.layers[0].delayed.clipped(), 1);
}

TEST_F(Assistant, GoesOnFromAState) {
    const auto first = file("1.npy", {32, 64}, normals(2048)), last = file("2.npy", {32, 64}, normals(2048, 3));
    const ScalingReport at_once = assist({{"x", first}, {"x", last}}).value();
    state.clear();
    ASSERT_TRUE(assist({{"x", first}}));
    const ScalingReport later = assist({{"x", last}}).value();
    EXPECT_EQ(later.layers[0].tensor->modes.back().relative_error,
              at_once.layers[0].tensor->modes.back().relative_error);
}

TEST_F(Assistant, DoesTheSameWithFortranOrder) {
    const std::vector<double> values = normals(8 * 16);
    std::vector<double> by_columns(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) by_columns[i % 16 * 8 + i / 16] = values[i];
    const auto plain = file("c.npy", {8, 16}, values), other = file("f.npy", {8, 16}, by_columns);
    std::string bytes = read_file(other).value();
    bytes.replace(bytes.find("False"), 5, "True ");
    ASSERT_TRUE(write_file_atomic(other, bytes));
    const ScalingReport c = assist({{"c", plain}}).value(), f = assist({{"f", other}}).value();
    EXPECT_EQ(f.layers[0].tensor->shape, c.layers[0].tensor->shape);
    EXPECT_EQ(f.layers[0].tensor->scan.channels, c.layers[0].tensor->scan.channels);
    ASSERT_EQ(f.layers[0].tensor->modes.size(), c.layers[0].tensor->modes.size());
    for (std::size_t i = 0; i < c.layers[0].tensor->modes.size(); ++i) {
        EXPECT_EQ(f.layers[0].tensor->modes[i].metrics.histogram, c.layers[0].tensor->modes[i].metrics.histogram);
    }
}

TEST_F(Assistant, TakesRecordsAndTheirErrors) {
    const auto records = folder.path / "r.csv";
    ASSERT_TRUE(write_file_atomic(records, "step,name,amax,relative_error\n1,q_proj,1,0.01\n2,q_proj,4,\n,mlp,,0.2\n"));
    const ScalingReport report = assist({{"r", records}}).value();
    ASSERT_EQ(report.layers.size(), 2);
    EXPECT_EQ(report.layers[0].delayed.clipped(), 1);
    EXPECT_EQ(report.layers[0].precision.precision, DType::f8e4m3);
    EXPECT_EQ(report.layers[1].precision.precision, DType::f16);
    EXPECT_NEAR(report.in_fp8.sum, 0.21, 1e-12);
    EXPECT_LT(report.by_policy.sum, 0.011);
}

TEST_F(Assistant, HoldsZerosAndSingleElementsExactly) {
    const ScalingReport zeros = assist({{"z", file("z.npy", {4, 8}, std::vector<double>(32))}}).value();
    EXPECT_EQ(zeros.layers[0].tensor->modes[0].relative_error, 0);
    EXPECT_EQ(zeros.layers[0].tensor->modes[0].least_scale, 1);
    const ScalingReport one = assist({{"o", file("o.npy", {1}, {3})}}).value();
    EXPECT_LT(one.layers[0].tensor->modes[0].relative_error, 1e-6);
    EXPECT_FALSE(one.layers[0].tensor->has_channels);
    EXPECT_FALSE(one.layers[0].tensor->group);
}

TEST_F(Assistant, RefusesWhatNoScaleFits) {
    EXPECT_THAT(problem(file("n.npy", {2}, {1, NAN})), HasSubstr("1 NaN and 0 infinities"));
    EXPECT_THAT(problem(file("e.npy", {0, 4}, {})), HasSubstr("e.npy: the tensor is empty"));
    EXPECT_THAT(problem(file("s.npy", {}, {1})), HasSubstr("it has no axis"));
    EXPECT_THAT(problem(file("i.npy", {2}, {1, 2}, DType::i32)), HasSubstr("holds integers (`<i4`)"));
    EXPECT_THAT(problem(folder.path / "none.npy"), HasSubstr("cannot read"));
    EXPECT_THAT(problem(folder.path / "none.csv"), HasSubstr("cannot read"));
    request.axis = 5;
    EXPECT_THAT(problem(file("a.npy", {2, 2}, {1, 2, 3, 4})), HasSubstr("no axis 5"));
    request.axis = -1;
    request.groups = {48};
    request.are_groups_asked = true;
    EXPECT_THAT(problem(file("g.npy", {2, 64}, normals(128))), HasSubstr("none of the groups (48) divides the 64"));
}

TEST_F(Assistant, RefusesAStateOfOtherChannels) {
    ASSERT_TRUE(assist({{"x", file("1.npy", {4, 8}, normals(32))}}));
    EXPECT_THAT(problem(file("2.npy", {4, 16}, normals(64))),
                HasSubstr("`x` had 8 channels in earlier steps, and has 16"));
}

TEST(ScalingInputs, HaveANameOrTakeTheFiles) {
    EXPECT_EQ(scaling_input("layers/q.npy").name, "q");
    EXPECT_EQ(scaling_input("x=layers/q.npy").name, "x");
    EXPECT_EQ(scaling_input("x=layers/q.npy").file, "layers/q.npy");
    EXPECT_TRUE(scaling_input("x=layers/q.npy").is_tensor());
    EXPECT_FALSE(scaling_input("amax.csv").is_tensor());
}

}  // namespace
}  // namespace kernelgen
