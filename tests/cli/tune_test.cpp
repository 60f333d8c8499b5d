// SPDX-License-Identifier: Apache-2.0
// `kernelgen tune` on real kernels: a winner, a tie, configurations that go wrong, and a tuning that is killed.
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "core/tune/tuning_file.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// `MODE` chooses what the kernel does: 0 works eight times, 4 once; the others go wrong, and are faster than 4.
constexpr const char* modes = R"(#include <stdint.h>
#include <stdlib.h>
#if MODE == 5
#error no such mode
#endif
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t row, int64_t, int64_t) {
    (void)P;
    int64_t columns = D, times = MODE == 0 ? 8 : 1;
    if (MODE == 1) columns = D / 2;
    if (MODE == 2) for (;;) {}
    if (MODE == 3) abort();
    if (MODE == 6 && D % 2 == 1) --columns;
    for (int64_t i = 0; i < times; ++i)
        for (int64_t d = 0; d < columns; ++d) ((volatile DTYPE*)out)[row * D + d] = x[row * D + d] + bias[d];
}
)";

/// A winner is as fast as the interval says; where others disturb the timing, the interval says less, and it is a tie.
/// Returns the configuration that was recommended.
std::int64_t expect_decided(const json& outcome, std::int64_t winner, std::int64_t incumbent) {
    const bool is_faster = outcome["lower"] > 1 && outcome["speedup"] > 1.02;
    EXPECT_EQ(outcome["outcome"], is_faster ? "winner" : "tie") << outcome;
    EXPECT_EQ(outcome["configuration"]["MODE"], is_faster ? winner : incumbent) << outcome;
    return outcome["configuration"]["MODE"];
}

class Tune : public testing::ProgramTest {
protected:
    /// A project whose variant `modes` has this tunable.
    std::filesystem::path project_with(const std::vector<std::int64_t>& values, std::int64_t value) {
        const std::filesystem::path project = small_project();
        EXPECT_TRUE(write_file_atomic(project / "modes.cpp", modes));
        change(project, [&](ordered_json& document) {
            document["cases"] = {{{"name", "timed"}, {"dtype", "f32"}, {"P", 128}, {"D", 3000}}};
            document["performance"]["budget_seconds"] = 0.5;
            ordered_json variant = {
                {"name", "modes"}, {"language", "cpp"}, {"source", "modes.cpp"}, {"entry", "small"}};
            variant["launch"] = {{"grid", {"P"}}, {"args", {"x", "bias", "out", "P", "D"}}};
            variant["tunables"] = {{{"name", "MODE"}, {"values", values}, {"value", value}}};
            document["variants"].push_back(variant);
        });
        return project;
    }

    testing::Ran tune(const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"tune", "small", "--variant", "modes", "--timeout", "2", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return kernelgen(arguments);
    }
};

TEST_F(Tune, FindsTheFastOneAmongThoseThatGoWrong) {
    const std::filesystem::path project = project_with({0, 1, 2, 3, 4, 5, 6}, 0);
    const testing::Ran ran = tune({"--strategy", "exhaustive", "--budget", "60s"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json outcome = ran.json()["tunings"][0]["outcome"];
    const std::int64_t decided = expect_decided(outcome, 4, 0);
    EXPECT_EQ(outcome["tried"], 7);
    EXPECT_EQ(outcome["failed"], 5);

    std::map<std::int64_t, std::string> statuses;
    const Tuning tuning = load_tuning(project, 1).value();
    for (const Tried& each : tuning.tried) statuses[each.configuration.at("MODE")] = to_string(each.status);
    EXPECT_EQ(statuses[0], "ok");
    EXPECT_THAT(statuses[1], AnyOf("mismatch", "unwritten"));
    EXPECT_EQ(statuses[2], "timed_out");
    EXPECT_EQ(statuses[3], "crashed");
    EXPECT_EQ(statuses[4], "ok");
    EXPECT_EQ(statuses[5], "build_failed");
    EXPECT_THAT(statuses[6], AnyOf("mismatch", "unwritten"));

    const auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], decided) << "a winner is the project's now";
    const testing::Ran rounds = kernelgen({"rounds", "small", "--json"});
    const json round = rounds.json()["rounds"].back();
    EXPECT_EQ(round["configuration"]["MODE"], decided);
    EXPECT_EQ(round["status"], "ok");
    EXPECT_THAT(round["note"].get<std::string>(),
                AllOf(HasSubstr("tuning 1, " + outcome["outcome"].get<std::string>()), HasSubstr("tried 7 of 7"),
                      HasSubstr("strategy exhaustive, seed 0")));
}

TEST_F(Tune, SaysTieWhereTheTunableChangesNothing) {
    const std::filesystem::path project = project_with({4, 7, 8, 9}, 7);
    const testing::Ran ran = tune({"--strategy", "random", "--budget", "30s"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json outcome = ran.json()["tunings"][0]["outcome"];
    EXPECT_EQ(outcome["outcome"], "tie") << outcome;
    EXPECT_EQ(outcome["configuration"]["MODE"], 7);
    const auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], 7);
}

TEST_F(Tune, GoesOnAfterItWasKilledAndRepeatsNothing) {
    const std::filesystem::path project = project_with({0, 4, 7, 8, 9, 10, 11}, 0);
    const std::vector<std::string> arguments = {KERNELGEN_PROGRAM, "tune",      "small",
                                                "--variant",       "modes",     "--strategy",
                                                "exhaustive",      "--tunable", "MODE=0,4,7,8,9,10"};
    Process killed =
        Process::start({.arguments = arguments, .environment = {}, .folder = folder.string(), .descriptors = {}})
            .value();
    const auto lines = [&] {
        const Result<Tuning> tuning = load_tuning(project, 1);
        return tuning ? tuning->tried.size() : 0;
    };
    for (int i = 0; i < 600 && lines() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    killed.kill();
    const std::size_t before = lines();
    ASSERT_GE(before, 2u);
    EXPECT_FALSE(load_tuning(project, 1)->outcome);

    const testing::Ran ran = kernelgen({"tune", "small", "--resume", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    EXPECT_EQ(tuning["number"], 1);
    EXPECT_EQ(tuning["tried"], 6);
    expect_decided(tuning["outcome"], tuning["outcome"]["configuration"]["MODE"], 0);
    std::multiset<std::string> tried;
    for (const std::string& line : {read_file(tuning_path(project, 1)).value()}) {
        std::istringstream stream(line);
        for (std::string each; std::getline(stream, each);) {
            const json record = json::parse(each, nullptr, false);
            if (!record.is_discarded() && record["kind"] == "configuration")
                tried.insert(record["configuration"].dump());
        }
    }
    EXPECT_EQ(tried.size(), std::set<std::string>(tried.begin(), tried.end()).size()) << "none was tried twice";
    EXPECT_THAT(kernelgen({"tune", "small", "--resume"}).errors, HasSubstr("tuning 1 has ended"));
}

TEST_F(Tune, TriesOnlyTheChosenValuesAndThePresentOne) {
    const std::filesystem::path project = project_with({0, 4, 7, 8}, 0);
    const testing::Ran ran = tune({"--strategy", "exhaustive", "--budget", "20s", "--tunable", "MODE=4, 7"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(ran.json()["tunings"][0]["configurations"], 2);
    const Tuning tuning = load_tuning(project, 1).value();
    EXPECT_EQ(tuning.head.chosen, (ChosenValues{{"MODE", {4, 7}}}));
    std::set<std::int64_t> modes;
    for (const Tried& each : tuning.tried) modes.insert(each.configuration.at("MODE"));
    EXPECT_EQ(modes, (std::set<std::int64_t>{0, 4, 7}));
}

TEST_F(Tune, SaysWhatIsWrongWithItsArguments) {
    project_with({4}, 4);
    const auto errors_of = [&](const std::vector<std::string>& more) {
        const testing::Ran ran = tune(more);
        EXPECT_EQ(ran.exit.status, 1) << ran.errors;
        return ran.errors;
    };
    EXPECT_THAT(errors_of({}), HasSubstr("only one configuration is allowed: nothing to tune"));
    EXPECT_THAT(errors_of({"--strategy", "modle"}), HasSubstr("did you mean `model`?"));
    EXPECT_THAT(errors_of({"--objective", "energy"}), HasSubstr("devices tell it of all samples together"));
    EXPECT_THAT(errors_of({"--objective", "tim"}), HasSubstr("did you mean `time`?"));
    EXPECT_THAT(errors_of({"--budget", "0"}), HasSubstr("the budget must be above 0"));
    EXPECT_THAT(errors_of({"--budget", "soon"}), HasSubstr("`soon` is no time"));
    EXPECT_THAT(errors_of({"--evaluations", "0"}), HasSubstr("at least one configuration must be tried"));
    EXPECT_THAT(errors_of({"--case", "timd"}), HasSubstr("did you mean `timed`?"));
    EXPECT_THAT(errors_of({"--tunable", "MODE"}), HasSubstr("`MODE` is not NAME=VALUE,VALUE,…"));
    EXPECT_THAT(errors_of({"--tunable", "MOD=4"}), HasSubstr("did you mean `MODE`?"));
    EXPECT_THAT(errors_of({"--tunable", "MODE=5"}), HasSubstr("`MODE` cannot be 5; it can be: 4"));
    EXPECT_THAT(errors_of({"--resume"}), HasSubstr("there is no tuning yet"));
    const testing::Ran naive = kernelgen({"tune", "small", "--variant", "naive"});
    EXPECT_EQ(naive.exit.status, 1);
    EXPECT_THAT(naive.errors, HasSubstr("`naive` has no tunables"));
    EXPECT_THAT(kernelgen({"tunee", "small"}).errors, HasSubstr("did you mean `tune`?"));
    change(folder / "small", [](ordered_json& document) { document["performance"].erase("baseline"); });
    EXPECT_THAT(errors_of({}), HasSubstr("the project names no baseline for `cpu`"));
}

}  // namespace
}  // namespace kernelgen
