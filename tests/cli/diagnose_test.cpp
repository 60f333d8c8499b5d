// SPDX-License-Identifier: Apache-2.0
// `kernelgen diagnose` on the samples' recorded rounds.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramTest;
using testing::Ran;

class Diagnose : public ProgramTest {
protected:
    static std::string sample(const std::string& name) {
        return std::string(KERNELGEN_SOURCE_DIR) + "/projects/" + name;
    }
};

TEST_F(Diagnose, SaysOfARecordedRoundWhatLimitsIt) {
    const Ran ran = kernelgen({"diagnose", sample("softmax"), "0"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("Round 0: variant `cuda` on cuda:0, case P=16384,D=8192,dtype=bf16"));
    EXPECT_THAT(ran.output, HasSubstr("The kernel is at its ceiling"));
    EXPECT_THAT(ran.output, HasSubstr("the most that mending it can gain: 1.021×"));
}

TEST_F(Diagnose, SaysItInChinese) {
    EXPECT_THAT(kernelgen({"diagnose", sample("softmax"), "0", "--lang", "zh"}).output, HasSubstr("内核已达上限"));
}

TEST_F(Diagnose, IsOneDocumentWithFindingsIndicatorsAndWhatIsMissing) {
    const json document = kernelgen({"diagnose", sample("gelu"), "1", "--json"}).json();
    EXPECT_EQ(document["round"], 1);
    const json& first = document["cases"][0];
    EXPECT_EQ(first["findings"][0]["rule"], "near_ceiling");
    EXPECT_GE(first["findings"][0]["most_gain"], 1.0);
    EXPECT_EQ(first["indicators"][0]["name"], "speedup");
    EXPECT_TRUE(first["missing"].is_array());
    EXPECT_FALSE(first["findings"][0]["words"]["why"].get<std::string>().empty());
}

/// What it prints as a command must work.
TEST_F(Diagnose, GivesCommandsOnlyForStrategiesThatApply) {
    const Ran present = kernelgen({"diagnose", sample("bias_add"), "1"});
    EXPECT_THAT(present.output, Not(HasSubstr("--apply fusion")));
    EXPECT_THAT(present.output, HasSubstr("By hand: fusion with its neighbours (what one operator writes"));
    EXPECT_THAT(present.output, HasSubstr("whatever was found:\n   kernelgen run " + sample("bias_add") +
                                          " --variant cuda --device cuda:0 --apply tune\n"));
    const Ran other = kernelgen({"diagnose", sample("softmax"), "0"});
    EXPECT_THAT(other.output,
                AllOf(Not(HasSubstr("--apply")), HasSubstr("What can be done: fusion with its neighbours"),
                      HasSubstr("`kernelgen keep PROJECT 0` makes this round's the project's")));
    EXPECT_THAT(kernelgen({"diagnose", sample("softmax"), "0", "--lang", "zh"}).output,
                HasSubstr("可行做法：与相邻算子融合（"));
}

TEST_F(Diagnose, NamesTheCasesThatThereAre) {
    const Ran ran = kernelgen({"diagnose", sample("softmax"), "0", "--case", "other"});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("round 0 has no timed case `other`; there are: P=16384,D=8192,dtype=bf16"));
}

TEST_F(Diagnose, NeedsARound) {
    EXPECT_EQ(kernelgen({"diagnose", sample("softmax"), "99"}).exit.status, 1);
    small_project();
    const Ran ran = kernelgen({"diagnose", "small"});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("no rounds yet"));
}

TEST_F(Diagnose, RefusesARuleFileOfTheUserByName) {
    const std::filesystem::path own = folder / "data" / "kernelgen" / "diagnosis";
    std::filesystem::create_directories(own);
    ASSERT_TRUE(write_file_atomic(own / "own.json", R"({"schema": "kernelgen.diagnosis/1", "rulez": []})"));
    const Ran ran = kernelgen({"diagnose", sample("softmax")}, {{"XDG_DATA_HOME", (folder / "data").string()}});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("own.json: rulez: unknown key `rulez`; did you mean `rules`?"));
}

}  // namespace
}  // namespace kernelgen
