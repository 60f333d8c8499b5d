// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RoundsCommandTest : public testing::ProgramTest {};

TEST_F(RoundsCommandTest, RoundsAndTuningsAreListedInChineseOnDemand) {
    const std::filesystem::path project = small_project();
    EXPECT_THAT(kernelgen({"rounds", "small", "--lang", "zh"}).output, HasSubstr("尚无轮次"));
    const Ran ran = kernelgen({"run", "small", "--note", "why"});
    ASSERT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    const Ran tuned = kernelgen({"tune", "small", "--evaluations", "1", "--budget", "5"});
    ASSERT_EQ(tuned.exit.status, 0) << tuned.output << tuned.errors;
    const std::string chinese = kernelgen({"rounds", "small", "--lang", "zh"}).output;
    for (const char* word : {"轮次", "加速比（最差测例）", "首轮", "计划", "why", "判定依据", "持平"})
        EXPECT_THAT(chinese, HasSubstr(word));
    EXPECT_THAT(chinese, Not(HasSubstr("speedup")));
    EXPECT_THAT(kernelgen({"rounds", "small"}).output, HasSubstr("speedup (worst case)"));
    EXPECT_EQ(kernelgen({"rounds", "small", "--lang", "de"}).exit.status, 1);
}

TEST_F(RoundsCommandTest, ARoundIsToldInChineseAsTheLogTellsIt) {
    small_project();
    const Ran ran = kernelgen({"run", "small"});
    ASSERT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    EXPECT_THAT(kernelgen({"rounds", "small", "0", "--lang", "zh"}).output, HasSubstr("性能优化记录：第 0 轮"));
    EXPECT_EQ(kernelgen({"rounds", "small", "7", "--lang", "zh"}).exit.status, 1);
    const nlohmann::json round = kernelgen({"rounds", "small", "0", "--lang", "zh", "--json"}).json();
    EXPECT_EQ(round["status"], "ok");
}

}  // namespace
}  // namespace kernelgen
