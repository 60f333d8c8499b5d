// SPDX-License-Identifier: Apache-2.0
#include "core/project/tensor_map.h"

#include <gmock/gmock.h>

#include "core/project/launch_plan.h"
#include "core/project/project_file.h"
#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A launch of an operator on `x`, whose box is `box`.
Result<PlannedTensorMap> planned_map(const std::vector<std::string>& shape, const std::vector<std::string>& box,
                                     DType dtype) {
    Operator definition;
    definition.inputs = {{"x", shape, {}}};
    definition.symbols = {"B", "H", "P", "D"};
    Variant variant;
    variant.name = "cuda";
    variant.language = Language::cuda;
    Launch& launch = variant.launches.emplace_back();
    launch.grid = {"1"};
    launch.args = {tensor_map_argument(0)};
    launch.tensor_maps = {{"x", box, 128}};
    const auto plan = plan_launches(definition, {variant, "", {{"ROWS", 32}}, {}, {}},
                                    {"", dtype, {{"B", 3}, {"H", 5}, {"P", 1000}, {"D", 264}}});
    if (!plan) return std::unexpected(plan.error());
    EXPECT_EQ(plan->launches[0].args.at(0).kind, Argument::Kind::tensor_map);
    return plan->launches[0].tensor_maps.at(0);
}

TEST(TensorMap, HasTheAxesOfItsBox) {
    const PlannedTensorMap matrix = planned_map({"P", "D"}, {"ROWS", "64"}, DType::bf16).value();
    EXPECT_THAT(matrix.extents, ElementsAre(1000, 264));
    EXPECT_THAT(matrix.box, ElementsAre(32, 64));
    EXPECT_TRUE(can_be_mapped(matrix));
    const PlannedTensorMap batch = planned_map({"B", "H", "P", "D"}, {"1", "ROWS", "64"}, DType::bf16).value();
    EXPECT_THAT(batch.extents, ElementsAre(15, 1000, 264));
    EXPECT_TRUE(can_be_mapped(batch));
    EXPECT_FALSE(planned_map({"D"}, {"ROWS", "64"}, DType::bf16).has_value());
}

TEST(TensorMap, IsNotMadeWhereTheCopyEngineCannotReadTheTensor) {
    EXPECT_FALSE(can_be_mapped(planned_map({"P", "D"}, {"ROWS", "64"}, DType::f32).value())) << "a wider row than 128";
    EXPECT_FALSE(can_be_mapped(planned_map({"P", "D"}, {"ROWS", "4"}, DType::bf16).value())) << "a row of 8 bytes";
    EXPECT_FALSE(can_be_mapped(planned_map({"P", "D"}, {"257", "64"}, DType::bf16).value())) << "a box of 257 rows";
    EXPECT_FALSE(can_be_mapped(planned_map({"P", "H"}, {"ROWS", "64"}, DType::bf16).value())) << "rows of 10 bytes";
    PlannedTensorMap large = planned_map({"P", "D"}, {"ROWS", "64"}, DType::bf16).value();
    large.extents[0] = (std::int64_t{1} << 31) - 1024;
    EXPECT_TRUE(can_be_mapped(large));
    large.extents[0] = std::int64_t{1} << 31;
    EXPECT_FALSE(can_be_mapped(large)) << "a row's coordinate has a sign";
    large.extents = {1000, std::int64_t{1} << 40};
    EXPECT_FALSE(can_be_mapped(large)) << "rows far apart";
}

TEST(TensorMap, IsReadAndWrittenInItsPlaceAmongTheArguments) {
    Project project = example_project();
    Variant cuda = project.variants[0];
    cuda.name = "cuda";
    cuda.language = Language::cuda;
    cuda.source = "copied.cu";
    cuda.generated.clear();
    Launch& launch = cuda.launches[0];
    launch.order.clear();
    launch.threads.clear();
    launch.block = {"128"};
    launch.args.insert(launch.args.begin() + 1, tensor_map_argument(0));
    launch.tensor_maps = {{launch.args[0], {"BLOCK_M", "64"}, 128}};
    project.variants.push_back(cuda);
    const std::string text = project_text(project);
    EXPECT_THAT(text, HasSubstr("tensor_map"));
    const auto read = parse_project(text, project.folder);
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->variants.back().launches, cuda.launches);
    EXPECT_EQ(argument_texts(cuda.launches[0])[1], "tensor map of " + launch.args[0]);
}

}  // namespace
}  // namespace kernelgen
