// SPDX-License-Identifier: Apache-2.0
#include "core/tune/objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

std::string problem(std::string_view text) {
    const Result<Objective> objective = parse_objective(text);
    return objective ? "" : objective.error().message;
}

TEST(AnObjective, IsAWordOrAWeightingThatIsDividedByItsSum) {
    EXPECT_TRUE(parse_objective("time")->is_time());
    EXPECT_EQ(parse_objective("memory")->memory, 1);
    const Objective weighted = parse_objective("3 time 1 memory").value();
    EXPECT_EQ(weighted.time, 0.75);
    EXPECT_EQ(weighted.memory, 0.25);
    EXPECT_EQ(weighted.score({.time = 2, .memory = 4}), 2.5);
    EXPECT_EQ(to_string(parse_objective("energy").value()), "energy");
    EXPECT_EQ(to_string(parse_objective("2 energy 2 time").value()), "0.5 time 0.5 energy");
    EXPECT_EQ(parse_objective("1 time 1 energy")->score({.time = 2, .energy = 1}), 1.5);
    EXPECT_EQ(to_string(weighted), "0.75 time 0.25 memory");
    EXPECT_EQ(parse_objective(to_string(weighted))->time, 0.75);
}

TEST(AnObjective, SaysWhatIsWrongWithIt) {
    EXPECT_THAT(problem("tme"), HasSubstr("did you mean `time`?"));
    EXPECT_THAT(problem("-1 time"), HasSubstr("`-1` is no weight"));
    EXPECT_THAT(problem("nan time"), HasSubstr("`nan` is no weight"));
    EXPECT_THAT(problem("1 time 1 time"), HasSubstr("names `time` twice"));
    for (const char* text : {"", "0 time", "0.5", "time 0.5"})
        EXPECT_THAT(problem(text), HasSubstr("a weighting")) << text;
}

}  // namespace
}  // namespace kernelgen
