// SPDX-License-Identifier: Apache-2.0
// `kernelgen whatif` on the samples' recorded rounds, and for real on a small project.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::ProgramTest;
using testing::Ran;

class Whatif : public ProgramTest {
protected:
    static std::string sample(const std::string& name) {
        return std::string(KERNELGEN_SOURCE_DIR) + "/projects/" + name;
    }
    /// A small project with a round on the CPU.
    void run_small() {
        small_project();
        const Ran ran = kernelgen({"run", "small", "--no-counters"});
        ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    }
    Ran whatif(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "whatif");
        return kernelgen(arguments);
    }
};

class NightlyWhatif : public Whatif {};

TEST_F(Whatif, PredictsARecordedRoundOnLessBandwidth) {
    const Ran ran = whatif({sample("bias_add"), "--bandwidth", "0.7"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("variant `cuda` on cuda:0, what if: bandwidth × 0.7"));
    EXPECT_THAT(ran.output, HasSubstr("Model: fitted to 3 timed cases"));
    EXPECT_THAT(ran.output, HasSubstr("bound by bandwidth"));
}

TEST_F(Whatif, SaysItInChinese) {
    const Ran ran = whatif({sample("bias_add"), "--bandwidth", "0.7", "--lang", "zh"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("假设：带宽 × 0.7"));
    EXPECT_THAT(ran.output, HasSubstr("受限于带宽"));
    EXPECT_THAT(ran.output, ::testing::Not(HasSubstr("predicted")));
}

TEST_F(Whatif, SaysReasonsInChinese) {
    const Ran no_round = whatif({sample("bias_add"), "999", "--bandwidth", "0.7", "--lang", "zh"});
    EXPECT_NE(no_round.exit.status, 0);
    EXPECT_THAT(no_round.errors, HasSubstr("没有第 999 轮"));
    const Ran no_share = whatif({sample("bias_add"), "--bandwidth", "0", "--lang", "zh"});
    EXPECT_THAT(no_share.errors, HasSubstr("不是设备所有量的份额"));
    const Ran no_case = whatif({sample("bias_add"), "--bandwidth", "0.7", "--case", "none", "--lang", "zh"});
    EXPECT_THAT(no_case.errors, HasSubstr("没有已计时的测例 `none`"));
}

TEST_F(Whatif, PredictsForADescribedDevice) {
    const std::filesystem::path file = folder / "chip.json";
    ASSERT_TRUE(write_file_atomic(file, R"({"name": "chip", "shared_mem_kb": 228, "bandwidth_gbps": 2147.48})"));
    const Ran ran = whatif({sample("bias_add"), "--device-model", file.string(), "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_NEAR(ran.json()["factors"]["bandwidth"], 0.5, 0.01);
    EXPECT_NEAR(ran.json()["cases"][0]["predicted"]["slow_down"], 2, 0.1);
    ASSERT_TRUE(write_file_atomic(file, R"({"name": "chip", "bandwith_gbps": 1})"));
    const Ran wrong = whatif({sample("bias_add"), "--device-model", file.string()});
    EXPECT_EQ(wrong.exit.status, 1);
    EXPECT_THAT(wrong.errors, HasSubstr("did you mean `bandwidth_gbps`?"));
    EXPECT_EQ(whatif({sample("bias_add"), "--device-model", "none.json"}).exit.status, 1);
}

TEST_F(Whatif, BuildsARecordedKernelWithFewerRegistersWhereNvrtcIsFound) {
    const Ran ran = whatif({sample("softmax"), "0", "--registers", "0.5", "--measure", "--json"});
    if (ran.exit.status != 0) {
        EXPECT_THAT(ran.errors, HasSubstr("NVRTC"));
        GTEST_SKIP() << "no NVRTC here";
    }
    const json first = ran.json()["cases"][0];
    EXPECT_LT(first["built"]["capped"]["registers"], first["built"]["whole"]["registers"]);
    EXPECT_LE(first["built"]["capped"]["registers"], first["built"]["cap"]);
    EXPECT_GE(first["predicted"]["slow_down"], 1);
}

TEST_F(Whatif, IsOneDocument) {
    const json document = whatif({sample("bias_add"), "--bandwidth", "0.5", "--json"}).json();
    EXPECT_EQ(document["factors"]["bandwidth"], 0.5);
    EXPECT_EQ(document["model"]["kind"], "fitted");
    EXPECT_LT(document["model"]["leave_one_out_error"], 0.1);
    const json& first = document["cases"][0];
    EXPECT_EQ(first["predicted"]["bound_by"], "bandwidth");
    EXPECT_NEAR(first["predicted"]["slow_down"], 2, 0.1);
    EXPECT_LE(first["predicted"]["lower"], first["predicted"]["seconds"]);
    EXPECT_GE(first["predicted"]["upper"], first["predicted"]["seconds"]);
    EXPECT_NEAR(first["predicted"]["most_back"], 0.5, 0.05);
}

TEST_F(Whatif, SaysWhenTheRooflineIsAllThatIsKnown) {
    EXPECT_THAT(whatif({sample("softmax"), "--bandwidth", "0.7"}).output, HasSubstr("Model: the roofline alone"));
}

TEST_F(Whatif, RefusesFactorsThatAreNoShares) {
    for (const std::string wrong : {"0", "-1", "17", "nan", "inf"}) {
        const Ran ran = whatif({sample("bias_add"), "--bandwidth=" + wrong});
        EXPECT_EQ(ran.exit.status, 1) << wrong;
        EXPECT_THAT(ran.errors, HasSubstr("expected a number from 0.001 to 16")) << wrong;
    }
    EXPECT_EQ(whatif({sample("bias_add"), "--bandwidth", "half"}).exit.status, 1);
    EXPECT_EQ(whatif({sample("bias_add"), "--cache", "0.5"}).exit.status, 1);
}

TEST_F(Whatif, AsksWhatTheOtherDeviceHas) {
    const Ran ran = whatif({sample("bias_add")});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("such as --bandwidth 0.7"));
}

TEST_F(Whatif, NeedsATimedRound) {
    small_project();
    const Ran none = whatif({"small", "--bandwidth", "0.7"});
    EXPECT_EQ(none.exit.status, 1);
    EXPECT_THAT(none.errors, HasSubstr("no rounds yet: `kernelgen run` makes one"));
    const Ran other = whatif({sample("bias_add"), "99", "--bandwidth", "0.7"});
    EXPECT_EQ(other.exit.status, 1);
    EXPECT_THAT(other.errors, HasSubstr("there is no round 99"));
}

TEST_F(Whatif, NamesTheCasesThatThereAre) {
    const Ran ran = whatif({sample("softmax"), "0", "--bandwidth", "0.7", "--case", "other"});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("no timed case `other`; there are: P=16384,D=8192,dtype=bf16"));
}

TEST_F(Whatif, TakesBandwidthAloneFromAGpuThatIsHere) {
    const Ran alone = whatif({sample("bias_add"), "--bandwidth", "0.7", "--measure"});
    if (alone.exit.status != 0) {
        EXPECT_THAT(alone.errors, HasSubstr("is not here"));
    }
    const Ran with_threads = whatif({sample("bias_add"), "--bandwidth", "0.7", "--threads", "0.5", "--measure"});
    EXPECT_EQ(with_threads.exit.status, 4);
    EXPECT_THAT(with_threads.errors, HasSubstr("the bandwidth of `cuda:0` is taken alone"));
}

TEST_F(Whatif, HoldsNoBlocksBackOnADeviceThatIsNotHere) {
    const Ran ran = whatif({sample("softmax"), "0", "--threads", "0.5", "--measure"});
    if (ran.exit.status == 0) GTEST_SKIP() << "there is such a device here";
    EXPECT_EQ(ran.exit.status, 4);
    EXPECT_THAT(ran.errors, HasSubstr("is not here: --registers alone builds for it"));
    const Ran tuned = whatif({sample("softmax"), "0", "--registers", "0.5", "--tune", "1m"});
    EXPECT_EQ(tuned.exit.status, 4);
    EXPECT_THAT(tuned.errors, HasSubstr("--tune works for rounds of a CPU"));
}

TEST_F(Whatif, CannotGiveADeviceMore) {
    const Ran ran = whatif({sample("bias_add"), "--bandwidth", "2", "--measure"});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("--measure can only take something away"));
}

TEST_F(Whatif, SaysThatACpuHasNoRegistersToTake) {
    run_small();
    const Ran ran = whatif({"small", "--registers", "0.5"});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("a CPU has --bandwidth and --threads"));
}

TEST_F(Whatif, TimesARoundBesideANeighbourAndSaysWhatItLeft) {
    run_small();
    const Ran ran = whatif({"small", "--bandwidth", "0.7", "--measure", "--budget", "0.5", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json measured = ran.json()["cases"][0]["measured"];
    EXPECT_EQ(measured["status"], "ok") << measured["reason"];
    EXPECT_GE(measured["neighbour"]["threads"], 1);
    EXPECT_GT(measured["neighbour"]["gbps"], 0);
    EXPECT_LT(measured["bandwidth_left"], 1);
    EXPECT_GE(measured["slow_down"]["pairs"], 8);
    EXPECT_TRUE(measured["error"].is_number());
    EXPECT_TRUE(measured["error_of_asked"].is_number());
}

TEST_F(NightlyWhatif, TunesAnewOnFewerThreadsAndLeavesTheProjectAlone) {
    run_small();
    const std::string before = read_file(folder / "small" / "project.json").value();
    const Ran ran = whatif({"small", "--threads", "0.5", "--tune", "3", "--budget", "0.5", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuned = ran.json()["cases"][0]["tuned"];
    EXPECT_EQ(tuned["status"], "ok") << tuned;
    EXPECT_GT(tuned["share_of_original"]["median"], 0);
    EXPECT_EQ(read_file(folder / "small" / "project.json").value(), before);
    EXPECT_FALSE(std::filesystem::exists(folder / "small" / "tunings"));
    EXPECT_FALSE(std::filesystem::exists(folder / "small" / "rounds" / "1"));
}

}  // namespace
}  // namespace kernelgen
