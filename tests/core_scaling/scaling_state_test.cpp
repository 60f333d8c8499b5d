// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/scaling_state.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

const ScalingState some_state = {{"layer.0", {.steps = 7, .average = 1.0 / 3, .channels = {}, .recent = {1, 2.5}}},
                                 {"x", {.steps = 1, .average = 4, .channels = {0, 1e-30, 4}, .recent = {4}}}};

std::string problem_of_state(std::string_view text) {
    const auto state = parse_scaling_state(text, "s.json");
    return state ? "" : to_string(state.error()).text();
}

TEST(ScalingStates, AreReadAsTheyWereWritten) {
    EXPECT_EQ(parse_scaling_state(format_scaling_state(some_state), "s.json").value(), some_state);
}

TEST(ScalingStates, KeepAsManyChannelsAsModelsHave) {
    ScalingState state = some_state;
    state["x"].channels.assign(50'000, 0.1);
    EXPECT_EQ(parse_scaling_state(format_scaling_state(state), "s.json").value(), state);
}

TEST(ScalingStates, RefuseWhatTheyDoNotKnow) {
    EXPECT_THAT(problem_of_state(R"({"scaling_state": 2, "tensors": {}, "new": 1})"),
                HasSubstr("this is version 2 of the state"));
    EXPECT_THAT(problem_of_state(R"({"scaling_state": 1, "tensors": {}, "new": 1})"), HasSubstr("new"));
    EXPECT_THAT(problem_of_state(R"({"tensors": {}})"), HasSubstr("scaling_state"));
    EXPECT_THAT(
        problem_of_state(R"({"scaling_state": 1, "tensors": {"x": {"steps": 1, "average": -1, "recent": []}}})"),
        HasSubstr("not negative"));
    EXPECT_THAT(
        problem_of_state(R"({"scaling_state": 1, "tensors": {"x": {"steps": -1, "average": 1, "recent": []}}})"),
        HasSubstr("s.json: tensors.x.steps"));
    EXPECT_THAT(problem_of_state(
                    R"({"scaling_state": 1, "tensors": {"x": {"steps": 9, "average": 1, "recent": [1,1,1,1,1,1]}}})"),
                HasSubstr("more than 5 steps"));
    EXPECT_THAT(problem_of_state(R"({"scaling_state": 1, "tensors": {"x": {"steps": 1)"), HasSubstr("s.json"));
    EXPECT_THAT(problem_of_state("[]"), HasSubstr("expected an object"));
}

TEST(ScalingStates, AreEmptyWithoutAFileAndReplacedWhole) {
    const ScratchFolder folder = ScratchFolder::create(std::filesystem::temp_directory_path()).value();
    const std::filesystem::path file = folder.path / "s.json";
    EXPECT_TRUE(read_scaling_state(file)->empty());
    ASSERT_TRUE(write_scaling_state(file, some_state));
    EXPECT_EQ(read_scaling_state(file).value(), some_state);
    EXPECT_FALSE(write_scaling_state(folder.path / "none" / "s.json", some_state));
}

}  // namespace
}  // namespace kernelgen
